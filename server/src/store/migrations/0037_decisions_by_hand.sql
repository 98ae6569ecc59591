-- Requests for a second person to decide an unknown outcome, or to record that money was given back outside of the service; and the alerts
-- about money that a person has to give back have a kind of their own, so that they can be listed until that is done.
--
-- Safe while the previous release serves: it neither writes the new kinds of requests nor reads the kinds of alerts.
-- oldest program: 0020
alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check
  check (kind in ('refund', 'password-reveal', 'routing-publish', 'outcome', 'give-back'));

update alerts set kind = 'give-back'
where resolved_at is null and payment_id is not null
  and (kind = 'amount-mismatch' or (kind = 'late-success' and text like '%Refund it manually at the acquirer.'));
