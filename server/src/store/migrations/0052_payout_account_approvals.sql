-- A changed bank account of a merchant waits for a second person (chapter 70 §3).
--
-- Safe while the previous release serves: it writes no request of the new kind. Until its last process has stopped, its panel still changes
-- bank accounts by one person.
--
-- oldest program: 0020
alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check
  check (kind in ('refund', 'password-reveal', 'routing-publish', 'outcome', 'give-back', 'difference', 'factor-reset', 'payout-run', 'correction',
    'payout-account'));
