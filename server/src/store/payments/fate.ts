/** Whether a payment `p` counts as approved, declined or open, wherever payments are counted. Chapter 50 §8. */

// A hold counts as approved once money is reserved: a payment that the payer still has to pay is PENDING too.
export const fate = `case when p.status = 'DECLINED' then 'declined'
    when p.status in ('SETTLED', 'REVERSAL', 'REFUND', 'VOID', 'CHARGEBACK') or p.status = 'PENDING' and p.authorised_minor > 0 then 'approved'
    else 'open' end`
