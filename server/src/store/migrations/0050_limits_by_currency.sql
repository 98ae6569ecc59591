-- Amount limits of MIDs and mappings have a currency (chapter 70 §2). Before, minor units of all currencies were added up.
--
-- A limit without a currency is kept for the one currency that its MID takes; otherwise for the currency that the operator names in
-- LIMITS_CURRENCY. If there is neither, this migration fails and changes nothing: no program can know which currency was meant.
--
-- Safe while the previous release still runs: it keeps its own columns and its own counters (`limit_uses`), which a later release drops. A
-- new counter begins with what the payments of its period add up to, so that limits are exact once the previous release has stopped.
alter table mids
  add column day_limit_amounts jsonb not null default '{}',
  add column month_limit_amounts jsonb not null default '{}';
alter table merchant_mappings
  add column day_limit_amounts jsonb not null default '{}',
  add column week_limit_amounts jsonb not null default '{}';

-- What a MID or a mapping has taken within one period of a limit: minor units of the currency, or payments if the currency is empty. `most`
-- is the limit as the last payment to be counted knew it: the constraints hold the sum to it, so that a payment too many is not written.
create table limit_sums (
  owner    uuid not null,
  period   text not null check (period in ('mid day', 'mid month', 'mapping day', 'mapping week')),
  starts   date not null,
  currency text not null,
  used     numeric(38,0) not null,
  most     numeric(38,0),
  primary key (owner, period, starts, currency),
  constraint mid_day_limit      check (period <> 'mid day'      or used <= coalesce(most, used)),
  constraint mid_month_limit    check (period <> 'mid month'    or used <= coalesce(most, used)),
  constraint mapping_day_limit  check (period <> 'mapping day'  or used <= coalesce(most, used)),
  constraint mapping_week_limit check (period <> 'mapping week' or used <= coalesce(most, used))
);

do $$
declare
  named text := nullif(current_setting('gatehouse.limits_currency', true), '');
  unclear text;
begin
  if named is null then
    select string_agg(distinct mid.name, ', ') into unclear
    from mids mid
    left join merchant_mappings mapping on mapping.mid_id = mid.id
    where cardinality(mid.currencies) <> 1
      and coalesce(mid.day_limit_minor, mid.month_limit_minor, mapping.day_limit_minor, mapping.week_limit_minor) is not null;
    if unclear is not null then
      raise exception 'amount limits now have a currency, and those of these MIDs and their mappings have none: %. Set LIMITS_CURRENCY, for example to EUR, to the currency in which they were meant, and migrate again', unclear;
    end if;
  end if;

  update mids set
    day_limit_amounts = case when day_limit_minor is null then '{}'
      else jsonb_build_object(case when cardinality(currencies) = 1 then currencies[1] else named end, day_limit_minor::text) end,
    month_limit_amounts = case when month_limit_minor is null then '{}'
      else jsonb_build_object(case when cardinality(currencies) = 1 then currencies[1] else named end, month_limit_minor::text) end
  where coalesce(day_limit_minor, month_limit_minor) is not null;

  update merchant_mappings mapping set
    day_limit_amounts = case when mapping.day_limit_minor is null then '{}'
      else jsonb_build_object(case when cardinality(mid.currencies) = 1 then mid.currencies[1] else named end, mapping.day_limit_minor::text) end,
    week_limit_amounts = case when mapping.week_limit_minor is null then '{}'
      else jsonb_build_object(case when cardinality(mid.currencies) = 1 then mid.currencies[1] else named end, mapping.week_limit_minor::text) end
  from mids mid
  where mid.id = mapping.mid_id and coalesce(mapping.day_limit_minor, mapping.week_limit_minor) is not null;
end $$;
