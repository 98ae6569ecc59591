-- Inquiries: disputes that took no money so far. An inquiry has the id that its CHARGEBACK transaction would have, so that both are one dispute, and charged_back
-- says whether there is that transaction: chapter 70 §4, decision 0350.
--
-- Safe while the previous release serves: every dispute that it opens is one of a chargeback, which is the default. A chargeback of an inquiry that it enters leaves
-- the stage of the dispute as it was; its money is booked.
alter table disputes add column charged_back boolean not null default true;
