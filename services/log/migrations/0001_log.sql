-- The log and what stands beside it. Every key begins with campaign_id, so the same schema shards by campaign:
-- no sequence, no global position, no foreign key between tables.

CREATE TABLE greffier.head (
    campaign_id text    PRIMARY KEY,
    epoch       integer NOT NULL DEFAULT 1,
    last_seq    bigint  NOT NULL,
    last_hash   bytea   NOT NULL,
    state       text    NOT NULL DEFAULT 'open'
) WITH (fillfactor = 50);
COMMENT ON TABLE greffier.head IS 'Where each campaign stands: the only row that an append updates.';

CREATE TABLE greffier.event (
    campaign_id   text     NOT NULL,
    seq           bigint   NOT NULL,
    at_us         bigint   NOT NULL,
    type          text     NOT NULL,
    version       integer  NOT NULL,
    session       integer  NOT NULL,
    command_id    text     NOT NULL,
    command_index integer  NOT NULL,
    actor_id      text     NOT NULL,
    audience      text[]   NOT NULL,
    redacted      boolean  NOT NULL DEFAULT false,
    fingerprint   bytea    NOT NULL,
    salt          bytea    NOT NULL,
    body          bytea    NOT NULL,
    digest        bytea    NOT NULL,
    hash          bytea    NOT NULL,
    PRIMARY KEY (campaign_id, seq)
);
ALTER TABLE greffier.event ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX event_command ON greffier.event (campaign_id, command_id) WHERE command_index = 0;
COMMENT ON TABLE greffier.event IS 'What happened. Rows are inserted by greffier.append and never changed.';

CREATE TABLE greffier.snapshot (
    campaign_id text   NOT NULL,
    reducer     text   NOT NULL,
    seq         bigint NOT NULL,
    event_hash  bytea  NOT NULL,
    state       bytea  NOT NULL,
    PRIMARY KEY (campaign_id, reducer, seq)
);
COMMENT ON TABLE greffier.snapshot IS 'A cache of folded states. Deleting all of it loses nothing.';

CREATE TABLE greffier.cursor (
    campaign_id text   NOT NULL,
    projection  text   NOT NULL,
    seq         bigint NOT NULL DEFAULT 0,
    status      text   NOT NULL DEFAULT 'running',
    error       text,
    updated_us  bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (campaign_id, projection)
);
COMMENT ON TABLE greffier.cursor IS 'How far each projection has come, moved in the transaction that writes its view.';

CREATE TABLE greffier.view (
    campaign_id text   NOT NULL,
    view        text   NOT NULL,
    key         text   NOT NULL,
    line        bigint NOT NULL DEFAULT 0,
    seq         bigint NOT NULL,
    audience    text[] NOT NULL,
    doc         bytea  NOT NULL,
    PRIMARY KEY (campaign_id, view, key, line)
);
CREATE INDEX view_changed ON greffier.view (campaign_id, view, seq);
COMMENT ON TABLE greffier.view IS 'Read models: rebuilt from the log at will.';

CREATE TABLE greffier.dice_seed (
    campaign_id text  NOT NULL,
    commitment  text  NOT NULL,
    seed        bytea NOT NULL,
    PRIMARY KEY (campaign_id, commitment)
);
COMMENT ON TABLE greffier.dice_seed IS 'Secrets of the sessions'' dice, kept before their commitment is published.';

CREATE TABLE greffier.campaign_secret (
    campaign_id text  PRIMARY KEY,
    secret      bytea NOT NULL
);
COMMENT ON TABLE greffier.campaign_secret IS 'Blinds the fingerprints of commands.';

CREATE TABLE greffier.member (
    campaign_id text   NOT NULL,
    member_id   text   NOT NULL,
    name        text   NOT NULL,
    created_us  bigint NOT NULL,
    PRIMARY KEY (campaign_id, member_id)
);
COMMENT ON TABLE greffier.member IS 'Personal names, which no event holds.';

CREATE TABLE greffier.credential (
    campaign_id text    NOT NULL,
    hash        bytea   NOT NULL,
    kind        text    NOT NULL CHECK (kind IN ('token', 'invite', 'ticket')),
    subject     text    NOT NULL,
    scopes      text[]  NOT NULL DEFAULT '{}',
    name        text    NOT NULL DEFAULT '',
    expires_us  bigint  NOT NULL DEFAULT 0,
    created_us  bigint  NOT NULL,
    revoked     boolean NOT NULL DEFAULT false,
    PRIMARY KEY (campaign_id, hash)
);
CREATE INDEX credential_subject ON greffier.credential (campaign_id, subject, kind);
COMMENT ON TABLE greffier.credential IS 'Tokens, invites and tickets: hashes only.';
