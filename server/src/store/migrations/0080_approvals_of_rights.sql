-- A user becomes an owner or an approver, or gets more rights as one, after a second person approved (chapter 70 §9, decision 0375).
--
-- Safe while the previous release serves: it writes no request of the new kind. Until its last process has stopped, its panel still gives such rights by one
-- person, and does not list requests for approval while one of the new kind is among them.
--
-- oldest program: 0020
alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check
  check (kind in ('refund', 'password-reveal', 'routing-publish', 'outcome', 'give-back', 'difference', 'factor-reset', 'payout-run', 'correction',
    'payout-account', 'user-rights'));
