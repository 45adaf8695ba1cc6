-- Who may do what. The application's role reads, and writes history only through the functions above; what is a
-- cache or a credential it may write itself. The triggers are belts: they stop whoever owns the tables too.

CREATE FUNCTION greffier.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'greffier: % on % is refused: what happened stays as it happened', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER event_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON greffier.event
    FOR EACH STATEMENT EXECUTE FUNCTION greffier.refuse();
CREATE TRIGGER head_is_not_deleted BEFORE DELETE OR TRUNCATE ON greffier.head
    FOR EACH STATEMENT EXECUTE FUNCTION greffier.refuse();

REVOKE ALL ON FUNCTION greffier.append(text, boolean, bigint, bytea, text, bytea, bigint[], bigint[], text[], integer[],
    integer[], text[], text[], bytea[], bytea[], bytea[], bytea[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION greffier.append_batch(text[], bigint[], bytea[], text[], bytea[], integer[], bytea[], integer[],
    bigint[], bigint[], text[], integer[], integer[], integer[], text[], text[], bytea[], bytea[], bytea[], bytea[])
    FROM PUBLIC;
REVOKE ALL ON FUNCTION greffier.answer(text, text, bytea) FROM PUBLIC;
