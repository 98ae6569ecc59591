-- How often the form of a payer step was handed out: each address of it works once, and the hosted page can offer the next one.
-- Safe while the previous release serves: it does not know the column, and a form that it handed out has `given_out_at`.

alter table payer_steps add column given_out integer not null default 0;
