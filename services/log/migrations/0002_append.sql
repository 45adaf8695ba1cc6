-- Appending: the only way in. Both functions look the command up first, then move the head by compare-and-set, then
-- insert. They answer a status and raise nothing in normal operation.

-- One command in one statement. Statuses: written, replayed, key_reused, conflict, closed, unknown_campaign.
CREATE FUNCTION greffier.append(
    p_campaign text, p_create boolean, p_expected_seq bigint, p_expected_hash bytea, p_command text, p_fingerprint bytea,
    p_seq bigint[], p_at bigint[], p_type text[], p_version integer[], p_session integer[], p_actor text[],
    p_audience text[], p_salt bytea[], p_body bytea[], p_digest bytea[], p_hash bytea[],
    OUT status text, OUT first_seq bigint, OUT last_seq bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
DECLARE
    n        integer := cardinality(p_seq);
    v_state  text;
    v_stored bytea;
BEGIN
    SELECT answered.status, answered.first_seq, answered.last_seq INTO status, first_seq, last_seq
      FROM greffier.answer(p_campaign, p_command, p_fingerprint) AS answered;
    IF status IS NOT NULL THEN RETURN; END IF;

    IF p_create THEN
        INSERT INTO greffier.head (campaign_id, last_seq, last_hash) VALUES (p_campaign, 0, p_expected_hash)
            ON CONFLICT DO NOTHING;
    END IF;

    UPDATE greffier.head AS h SET last_seq = p_seq[n], last_hash = p_hash[n]
     WHERE h.campaign_id = p_campaign AND h.last_seq = p_expected_seq AND h.last_hash = p_expected_hash
       AND h.state = 'open' AND p_seq[1] = p_expected_seq + 1 AND p_seq[n] = p_expected_seq + n;
    IF NOT FOUND THEN
        SELECT answered.status, answered.first_seq, answered.last_seq INTO status, first_seq, last_seq
          FROM greffier.answer(p_campaign, p_command, p_fingerprint) AS answered;
        IF status IS NOT NULL THEN RETURN; END IF;
        SELECT h.state INTO v_state FROM greffier.head AS h WHERE h.campaign_id = p_campaign;
        status := CASE WHEN v_state IS NULL THEN 'unknown_campaign'
                       WHEN v_state <> 'open' THEN 'closed' ELSE 'conflict' END;
        RETURN;
    END IF;

    INSERT INTO greffier.event (campaign_id, seq, at_us, type, version, session, command_id, command_index, actor_id,
                                audience, fingerprint, salt, body, digest, hash)
    SELECT p_campaign, e.seq, e.at_us, e.type, e.version, e.session, p_command, (e.n - 1)::integer, e.actor,
           string_to_array(e.audience, ' '), p_fingerprint, e.salt, e.body, e.digest, e.hash
      FROM unnest(p_seq, p_at, p_type, p_version, p_session, p_actor, p_audience, p_salt, p_body, p_digest, p_hash)
           WITH ORDINALITY AS e(seq, at_us, type, version, session, actor, audience, salt, body, digest, hash, n);
    status := 'written'; first_seq := p_seq[1]; last_seq := p_seq[n];
END $$;

-- What is known of a command that was stored before; no row's worth of status when it was not.
CREATE FUNCTION greffier.answer(
    p_campaign text, p_command text, p_fingerprint bytea, OUT status text, OUT first_seq bigint, OUT last_seq bigint
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_stored bytea;
BEGIN
    SELECT e.seq, e.fingerprint INTO first_seq, v_stored FROM greffier.event AS e
     WHERE e.campaign_id = p_campaign AND e.command_id = p_command AND e.command_index = 0;
    IF NOT FOUND THEN RETURN; END IF;
    IF v_stored <> p_fingerprint THEN status := 'key_reused'; first_seq := NULL; RETURN; END IF;
    -- The events of one command stand one after another.
    SELECT max(e.seq) INTO last_seq FROM greffier.event AS e
     WHERE e.campaign_id = p_campaign AND e.seq >= first_seq AND e.seq < first_seq + 10000
       AND e.command_id = p_command AND e.command_index = e.seq - first_seq;
    status := 'replayed';
END $$;

-- Many commands, each of another campaign, in one set-based statement: one answer a command.
-- Campaigns that exist already only. A head that somebody else holds holds up nobody: its command is answered `busy`,
-- and whoever wants to wait for it gives it to greffier.append.
CREATE FUNCTION greffier.append_batch(
    p_campaign text[], p_expected_seq bigint[], p_expected_hash bytea[], p_command text[], p_fingerprint bytea[],
    p_size integer[], p_last_hash bytea[],
    e_of integer[], e_seq bigint[], e_at bigint[], e_type text[], e_version integer[], e_session integer[],
    e_index integer[], e_actor text[], e_audience text[], e_salt bytea[], e_body bytea[], e_digest bytea[],
    e_hash bytea[]
) RETURNS TABLE (n integer, status text, first_seq bigint, last_seq bigint)
-- Every look-up is by key, whatever the statistics say: on a young table the planner would read it whole.
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
    v_held integer[];
    v_won  integer[];
    v_all  boolean;
BEGIN
    -- Once the heads are held, nobody else can store a command of these campaigns: the look-up below is final.
    SELECT coalesce(array_agg(held.n), '{}') INTO v_held
      FROM (SELECT a.n::integer FROM unnest(p_campaign) WITH ORDINALITY AS a(campaign, n)
              JOIN greffier.head AS h ON h.campaign_id = a.campaign
             ORDER BY h.campaign_id FOR UPDATE OF h SKIP LOCKED) AS held;
    v_all := cardinality(v_held) = cardinality(p_campaign);

    -- The look-up is a subquery of its own: joined, it would be planned once, for a table that is still empty.
    WITH asked AS MATERIALIZED (
        SELECT a.*, (SELECT true FROM greffier.event AS e WHERE e.campaign_id = a.campaign
                        AND e.command_id = a.command AND e.command_index = 0 LIMIT 1) AS known
          FROM unnest(p_campaign, p_expected_seq, p_expected_hash, p_command, p_size, p_last_hash)
               WITH ORDINALITY AS a(campaign, expected_seq, expected_hash, command, size, last_hash, n)
         WHERE v_all OR a.n = ANY (v_held)
    ), won AS (
        UPDATE greffier.head AS h SET last_seq = a.expected_seq + a.size, last_hash = a.last_hash
          FROM asked AS a
         WHERE h.campaign_id = a.campaign AND h.last_seq = a.expected_seq AND h.last_hash = a.expected_hash
           AND h.state = 'open' AND a.size > 0 AND a.known IS NULL
     RETURNING a.n
    )
    SELECT coalesce(array_agg(w.n::integer), '{}') INTO v_won FROM won AS w;
    v_all := cardinality(v_won) = cardinality(p_campaign);

    INSERT INTO greffier.event (campaign_id, seq, at_us, type, version, session, command_id, command_index, actor_id,
                                audience, fingerprint, salt, body, digest, hash)
    SELECT p_campaign[e.of], e.seq, e.at_us, e.type, e.version, e.session, p_command[e.of], e.index, e.actor,
           string_to_array(e.audience, ' '), p_fingerprint[e.of], e.salt, e.body, e.digest, e.hash
      FROM unnest(e_of, e_seq, e_at, e_type, e_version, e_session, e_index, e_actor, e_audience, e_salt, e_body,
                  e_digest, e_hash)
           AS e(of, seq, at_us, type, version, session, index, actor, audience, salt, body, digest, hash)
     WHERE v_all OR e.of = ANY (v_won);

    IF v_all THEN
        RETURN QUERY SELECT a.n::integer, 'written', a.expected + 1, a.expected + a.size
                       FROM unnest(p_expected_seq, p_size) WITH ORDINALITY AS a(expected, size, n);
        RETURN;
    END IF;
    RETURN QUERY
    SELECT a.n::integer,
           CASE WHEN a.n = ANY (v_won) THEN 'written'
                WHEN known.status IS NOT NULL THEN known.status
                WHEN a.n <> ALL (v_held) AND h.campaign_id IS NOT NULL THEN 'busy'
                WHEN h.campaign_id IS NULL THEN 'unknown_campaign'
                WHEN h.state <> 'open' THEN 'closed' ELSE 'conflict' END,
           CASE WHEN a.n = ANY (v_won) THEN a.expected + 1 ELSE known.first_seq END,
           CASE WHEN a.n = ANY (v_won) THEN a.expected + a.size ELSE known.last_seq END
      FROM unnest(p_campaign, p_command, p_fingerprint, p_expected_seq, p_size)
           WITH ORDINALITY AS a(campaign, command, fingerprint, expected, size, n)
      LEFT JOIN greffier.head AS h ON h.campaign_id = a.campaign
      LEFT JOIN LATERAL greffier.answer(a.campaign, a.command, a.fingerprint) AS known ON a.n <> ALL (v_won);
END $$;
