-- Returns of a chargeback that people recorded, before or instead of the acquirer's report (chapter 70 §4, decision 0378). A later report that the dispute is lost posts
-- such a return back; one that the acquirer reported stays. The decision is a request that waits for a second person.
--
-- Safe while the previous release serves: it writes no request of the new kind, and a return that its panel records counts as reported, which the balance check shows if
-- the acquirer reports the dispute as lost.
--
-- oldest program: 0020
alter table disputes add column returned_by_hand boolean not null default false;
create index disputes_lost_and_returned on disputes (merchant_id) where stage = 'lost' and returned_at is not null;
alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check
  check (kind in ('refund', 'password-reveal', 'routing-publish', 'outcome', 'give-back', 'difference', 'factor-reset', 'payout-run', 'correction',
    'payout-account', 'user-rights', 'dispute'));
