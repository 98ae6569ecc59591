-- When a version of a form was approved last, so that a reviewer of the next one sees what changed since. Safe while the previous release
-- runs: the column may be null, and a version that it approves meanwhile is compared with an earlier one until it is approved again.
alter table sdk_forms add column approved_at timestamptz;
update sdk_forms set approved_at = changed_at
where state = 'approved' or (state = 'withdrawn' and (scripts <> '{}' or styles <> '{}'));
