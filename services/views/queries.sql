-- name: begin
-- Cursors for projections that have read nothing yet.
INSERT INTO greffier.cursor (campaign_id, projection, seq, status, error, updated_us)
SELECT $1, projection, 0, 'live', '', $3 FROM unnest($2::text[]) AS projection
ON CONFLICT (campaign_id, projection) DO NOTHING

-- name: lock
-- Where these projections stand; nobody moves them before this transaction ends.
SELECT projection, seq FROM greffier.cursor
WHERE campaign_id = $1 AND projection = ANY($2::text[])
ORDER BY projection FOR UPDATE

-- name: move
-- Cursors after their step.
UPDATE greffier.cursor AS c
SET seq = t.seq, status = CASE WHEN t.error = '' THEN 'live' ELSE 'parked' END, error = t.error, updated_us = $5
FROM unnest($2::text[], $3::bigint[], $4::text[]) AS t (projection, seq, error)
WHERE c.campaign_id = $1 AND c.projection = t.projection

-- name: put
-- Rows written, whole. An audience is its principals with blanks between.
INSERT INTO greffier.view (campaign_id, view, key, line, seq, audience, doc)
SELECT $1, t.view, t.key, t.line, t.seq, string_to_array(t.audience, ' '), t.doc
FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::bytea[])
  AS t (view, key, line, seq, audience, doc)
ON CONFLICT (campaign_id, view, key, line)
DO UPDATE SET seq = excluded.seq, audience = excluded.audience, doc = excluded.doc

-- name: remove
-- Rows that go.
DELETE FROM greffier.view AS v
USING unnest($2::text[], $3::text[], $4::bigint[]) AS t (view, key, line)
WHERE v.campaign_id = $1 AND v.view = t.view AND v.key = t.key AND v.line = t.line

-- name: docs
-- Rows about to be patched.
SELECT v.view, v.key, v.line, v.doc FROM greffier.view AS v
JOIN unnest($2::text[], $3::text[], $4::bigint[]) AS t (view, key, line)
  ON v.view = t.view AND v.key = t.key AND v.line = t.line
WHERE v.campaign_id = $1

-- name: cursors
-- How far every projection of a campaign has read.
SELECT projection, seq, status, error, updated_us FROM greffier.cursor WHERE campaign_id = $1

-- name: read
-- A page of the rows that one of the principals may see, oldest first.
SELECT key, line, seq, audience, doc FROM greffier.view
WHERE campaign_id = $1 AND view = $2 AND key = $3 AND line > $4 AND line < $5 AND audience && $6::text[]
ORDER BY line LIMIT $7

-- name: read_back
-- The same, newest first.
SELECT key, line, seq, audience, doc FROM greffier.view
WHERE campaign_id = $1 AND view = $2 AND key = $3 AND line > $4 AND line < $5 AND audience && $6::text[]
ORDER BY line DESC LIMIT $7

-- name: changed
-- The rows that an event beyond a seq changed.
SELECT key, line, seq, audience, doc FROM greffier.view
WHERE campaign_id = $1 AND view = $2 AND seq > $3 AND ($4::text IS NULL OR key = $4) AND audience && $5::text[]
ORDER BY seq, key, line LIMIT $6

-- name: behind
-- The next campaigns by name, and whether one of the projections has not read all of their events.
SELECT h.campaign_id, EXISTS (
  SELECT FROM unnest($1::text[]) AS p (projection)
  LEFT JOIN greffier.cursor AS c ON c.campaign_id = h.campaign_id AND c.projection = p.projection
  WHERE coalesce(c.seq, 0) < h.last_seq
) AS behind
FROM (
  SELECT campaign_id, last_seq FROM greffier.head WHERE campaign_id > $2 ORDER BY campaign_id LIMIT $3
) AS h
ORDER BY h.campaign_id

-- name: forget_rows
DELETE FROM greffier.view WHERE campaign_id = $1 AND view = $2

-- name: forget_cursor
DELETE FROM greffier.cursor WHERE campaign_id = $1 AND projection = $2

-- name: rename_rows
-- Staged rows take the place of the ones that were forgotten.
UPDATE greffier.view SET view = $3 WHERE campaign_id = $1 AND view = $2
