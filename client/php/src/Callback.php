<?php

declare(strict_types=1);

namespace Gatehouse;

/** A callback that was verified. */
final class Callback
{
    /**
     * @param string|null $id the same on every attempt and in the events feed: handle each once
     * @param int|null $sequence the callback's number within its payment, from 1
     * @param array<array-key, mixed> $fields
     */
    public function __construct(
        public readonly ?string $id,
        public readonly ?int $sequence,
        public readonly array $fields,
    ) {
    }

    /**
     * Whether the payment is of the order's amount and currency. Checkout repeats both in every callback; on the other protocols those of a
     * capture, refund or chargeback are its own and are not compared.
     */
    public function agreesWith(string $amount, string $currency): bool
    {
        $fields = $this->fields;
        if (!isset($fields['order_number']) && !in_array($fields['action'] ?? '', ['SALE', 'DEBIT', 'RECURRING_SALE'], true)) {
            return true;
        }
        $paid = $fields['order_amount'] ?? $fields['exchange_amount'] ?? $fields['amount'] ?? null;
        $in = $fields['order_currency'] ?? $fields['exchange_currency'] ?? $fields['currency'] ?? null;
        // An order whose amount the payer chooses has none until the money came.
        return $paid === null || (self::plain((string) $paid) === self::plain($amount) && $in === $currency);
    }

    /** `010.50` and `10.5` are one amount. */
    private static function plain(string $amount): string
    {
        $whole = preg_replace('/^0+(?=\d)/', '', $amount);
        return str_contains($whole, '.') ? rtrim(rtrim($whole, '0'), '.') : $whole;
    }
}
