-- What the payer's browser brought back from an acquirer's page: some acquirers need it to finish the payment, and need it again when their
-- answer was lost.
-- Safe while the previous release serves: the column is null there, which means that nothing was brought back.
alter table payer_steps add column fields jsonb;
