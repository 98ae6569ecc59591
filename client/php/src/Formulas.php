<?php

declare(strict_types=1);

namespace Gatehouse;

/** The signature formulas, as docs/interface/signatures.md writes them. PHP's texts are bytes, which is what the interface reverses. */
final class Formulas
{
    /** ['rev', …] and ['up', …] act on the joined text of their parts; a name stands for its value. */
    private const FORMULAS = [
        'card.start' => [['up', ['rev', 'email'], 'PASSWORD', ['rev', 'pan10']]],
        'card.start-with-token' => [['up', ['rev', 'email'], 'PASSWORD', ['rev', 'card_token']]],
        'card.follow-up' => [['up', ['rev', 'email'], 'PASSWORD', 'trans_id', ['rev', 'pan10']]],
        'card.create-schedule' => [['up', ['rev', 'PASSWORD']]],
        'card.schedule' => [['up', ['rev', 'schedule_id', 'PASSWORD']]],
        'card.credit' => [['up', 'PASSWORD', ['rev', 'pan10']]],
        'card.credit-with-token' => [['up', 'PASSWORD', ['rev', 'card_token']]],
        'card.credit-follow-up' => [['up', 'PASSWORD', 'trans_id', ['rev', 'pan10']]],
        'card.by-order' => [['up', ['rev', 'email'], 'PASSWORD', 'order_id', ['rev', 'pan10']]],
        'card.wallet' => [['up', ['rev', 'email'], 'PASSWORD']],
        'apm.start' => [['up', ['rev', 'identifier', 'order_id', 'order_amount', 'order_currency', 'PASSWORD']]],
        'apm.credit-void' => [['up', ['rev', 'trans_id', 'PASSWORD']]],
        'apm.follow-up' => [['up', ['rev', 'trans_id']], 'PASSWORD'],
        'apm.payout' => [['up', ['rev', 'order_id', 'order_amount', 'order_currency']], 'PASSWORD'],
        'apm.by-order' => [['up', ['rev', 'order_id']], 'PASSWORD'],
        'apm.payout-callback' => [['up', ['rev', 'trans_id', 'order_id', 'status']], 'PASSWORD'],
        'apm.crypto-callback' => [['up', ['rev', 'payer_email'], 'PASSWORD', 'trans_id']],
        'checkout.session' => [['up', 'order.number', 'order.amount', 'order.currency', 'order.description', 'PASSWORD']],
        'checkout.payment' => [['up', 'payment_id', 'PASSWORD']],
        'checkout.order' => [['up', 'order_id', 'PASSWORD']],
        'checkout.payment-amount' => [['up', 'payment_id', 'amount', 'PASSWORD']],
        'checkout.recurring' => [['up', 'recurring_init_trans_id', 'recurring_token', 'order.number', 'order.amount', 'order.description', 'PASSWORD']],
        'checkout.card-credit' => [['up', 'order_id', 'order_amount', 'order_currency', 'order_description', 'PASSWORD']],
        'checkout.callback' => [['up', 'id', 'order_number', 'order_amount', 'order_currency', 'order_description', 'PASSWORD']],
    ];

    /**
     * The hash in lower-case hexadecimal. `apm.callback` needs all parameters, every other formula its values by name.
     *
     * @param array<array-key, mixed> $values
     */
    public static function hash(string $formula, array $values, string $password, string $digest = 'md5'): string
    {
        if ($password === '') {
            throw new \InvalidArgumentException('The password is empty.');
        }
        if ($formula === 'apm.callback') {
            unset($values['hash']);
            return hash($digest, self::upperCase(self::join($values) . $password));
        }
        $parts = self::FORMULAS[$formula] ?? throw new \InvalidArgumentException("No formula is named \"$formula\".");
        $inner = hash($digest, self::base($parts, $values, $password));
        // The outer digest covers the hexadecimal text of the inner one.
        return str_starts_with($formula, 'checkout.') ? sha1($inner) : $inner;
    }

    /** @param array<mixed> $parts @param array<array-key, mixed> $values */
    private static function base(array $parts, array $values, string $password): string
    {
        $base = '';
        foreach ($parts as $part) {
            if (is_array($part)) {
                $inner = self::base(array_slice($part, 1), $values, $password);
                $base .= $part[0] === 'rev' ? strrev($inner) : self::upperCase($inner);
                continue;
            }
            $value = $part === 'PASSWORD' ? $password : ($values[$part] ?? '');
            $base .= is_scalar($value) ? (string) $value : '';
        }
        return $base;
    }

    /** @param array<array-key, mixed> $tree */
    private static function join(array $tree): string
    {
        uksort($tree, self::compareNames(...));
        $joined = '';
        foreach ($tree as $value) {
            $joined .= is_array($value) ? self::join($value) : strrev((string) $value);
        }
        return $joined;
    }

    /** Whole numbers first and in their order, then all other names by their bytes. */
    private static function compareNames(int|string $a, int|string $b): int
    {
        [$aIsNumber, $bIsNumber] = [self::isWholeNumber($a), self::isWholeNumber($b)];
        if ($aIsNumber !== $bIsNumber) {
            return $aIsNumber ? -1 : 1;
        }
        [$left, $right] = [(string) $a, (string) $b];
        return $aIsNumber && strlen($left) !== strlen($right) ? strlen($left) <=> strlen($right) : strcmp($left, $right);
    }

    private static function isWholeNumber(int|string $name): bool
    {
        return preg_match('/^(?:0|[1-9][0-9]*)$/D', (string) $name) === 1;
    }

    /** Only the letters a to z: strtoupper of earlier versions depends on the locale. */
    private static function upperCase(string $text): string
    {
        return strtr($text, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    }
}
