-- An acquirer may name our payment by its references alone: the payment is found when the event is entered.
--
-- Safe while the previous release serves: it writes the payment with every event, and leaves an event without one to the new release.
alter table acquirer_events alter column payment_id drop not null;
