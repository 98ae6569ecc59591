-- A schedule belongs to one side of its merchant, as payments, cards and sessions do: the test key finds no live schedule, and the live key
-- no test one.
--
-- Schedules that exist follow the plans that were started on them: one that only test payments used is a test schedule. A schedule that a
-- live payment used, or none at all, is live, unless its merchant may use its test key only. Plans that run on a schedule of the other
-- side go on as before.
--
-- Idempotency keys are kept by side as well. The primary key stays as it is, because the previous release writes by it; a key of the test
-- side is stored behind a mark of one character instead, for which the length makes room.
--
-- Safe while the previous release still runs: it names neither column nor constraint, the constraint is wider than its own, and what it
-- makes meanwhile is live.
-- oldest program: 0020
alter table schedules
  add column side text not null default 'live' constraint schedules_side_check check (side in ('live', 'test'));

update schedules set side = 'test'
where (
  exists (
    select from subscriptions plan
    join payments started on started.merchant_id = plan.merchant_id and started.id = plan.started_by
    where plan.merchant_id = schedules.merchant_id and plan.schedule_id = schedules.id and started.test
  ) or exists (select from merchants where merchants.id = schedules.merchant_id and merchants.test_only)
) and not exists (
  select from subscriptions plan
  join payments started on started.merchant_id = plan.merchant_id and started.id = plan.started_by
  where plan.merchant_id = schedules.merchant_id and plan.schedule_id = schedules.id and not started.test
);

alter table idempotency_keys
  drop constraint idempotency_keys_key_check,
  add constraint idempotency_keys_key_check check (length(key) between 1 and 256);
