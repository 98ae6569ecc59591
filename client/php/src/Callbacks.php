<?php

declare(strict_types=1);

namespace Gatehouse;

/** Verifies callbacks: the signature headers, which cover every byte of the body, and the `hash` of older receivers. */
final class Callbacks
{
    /**
     * @param list<string> $passwords the current password and, during a change, the earlier one
     * @param list<string> $secrets texts that begin with `whsec_`; during a rotation two
     */
    public function __construct(
        private readonly array $passwords,
        private readonly array $secrets = [],
        private readonly string $digest = 'md5',
        private readonly int $toleranceSeconds = 300,
    ) {
    }

    /**
     * Believes the signature or, for a receiver without a secret, the hash. Throws too if the payment is not of the expected amount and currency.
     *
     * @param array<string, string> $headers for example getallheaders()
     * @param string $body exactly as received: file_get_contents('php://input')
     * @param null|\Closure(string): ?array{amount: string, currency: string} $expected finds your order by its number
     */
    public function verify(array $headers, string $body, Payment $payment = new Payment(), ?\Closure $expected = null): Callback
    {
        $fields = self::fields($body) ?? throw new CallbackException('The body is neither a form nor a JSON object.');
        $isValid = $this->secrets === [] ? $this->hasHash($fields, $payment) : $this->hasSignature($headers, $body, time());
        if (!$isValid) {
            throw new CallbackException($this->secrets === []
                ? 'The hash is not valid: compare the password, and pass the e-mail and card of the payment.'
                : 'The signature is not valid: compare the secret and the clock, and pass the body as received.');
        }
        $headers = array_change_key_case($headers);
        $sequence = $headers['webhook-sequence'] ?? null;
        $callback = new Callback($headers['webhook-id'] ?? null, $sequence === null ? null : (int) $sequence, $fields);
        $order = $expected === null ? null : $expected($fields['order_number'] ?? $fields['order_id'] ?? '');
        if ($order !== null && !$callback->agreesWith($order['amount'], $order['currency'])) {
            throw new CallbackException('The amount or currency is not that of your order: do not deliver, and look at the payment.');
        }
        return $callback;
    }

    /**
     * Both schemes by themselves, for a receiver that decides otherwise.
     *
     * @param array<string, string> $headers
     * @return array{hash: bool, signature: bool}
     */
    public function check(array $headers, string $body, Payment $payment = new Payment(), ?int $now = null): array
    {
        $fields = self::fields($body);
        return [
            'hash' => $fields !== null && $this->hasHash($fields, $payment),
            'signature' => $fields !== null && $this->hasSignature($headers, $body, $now ?? time()),
        ];
    }

    /**
     * The address with which a payer comes back, against the order as the shop has stored it: `success` (paid or held), `open` (not decided
     * yet) or `failure`, at the moment of the return. It is no proof of payment: the callback or the status of the payment is.
     *
     * @param array<array-key, mixed> $query $_GET
     * @param string $amount as it was sent; empty if the payer chooses it
     */
    public function verifyReturn(array $query, string $orderId, string $amount, string $currency): string
    {
        [$transId, $order, $hash] = [$query['trans_id'] ?? null, $query['order_id'] ?? null, $query['hash'] ?? null];
        if (!is_string($transId) || !is_string($hash) || $order !== $orderId) {
            throw new CallbackException('The return is of another order.');
        }
        foreach (['success', 'open', 'failure'] as $outcome) {
            // The number of bytes before each value: no value can move into another one.
            $values = array_map(fn (string $value): string => strlen($value) . ":$value,", [$transId, $orderId, $amount, $currency, $outcome]);
            foreach ($this->passwords as $password) {
                $key = hash_hmac('sha256', 'payer return', $password, true);
                if (hash_equals(hash_hmac('sha256', implode('', $values), $key), strtolower($hash))) {
                    return $outcome;
                }
            }
        }
        throw new CallbackException('The hash of the return is not valid: compare the password, and the amount and currency of the order.');
    }

    /** @param array<string, string> $headers */
    private function hasSignature(array $headers, string $body, int $now): bool
    {
        $headers = array_change_key_case($headers);
        $id = $headers['webhook-id'] ?? null;
        $timestamp = $headers['webhook-timestamp'] ?? '';
        $signature = $headers['webhook-signature'] ?? null;
        if ($id === null || $signature === null || preg_match('/^[1-9][0-9]{0,11}$/D', $timestamp) !== 1) {
            return false;
        }
        if (abs($now - (int) $timestamp) > $this->toleranceSeconds) {
            return false;
        }
        foreach ($this->secrets as $secret) {
            $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6), true) : false;
            if ($key === false || $key === '') {
                continue;
            }
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
            foreach (explode(' ', $signature) as $entry) {
                if (hash_equals($expected, $entry)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** @param array<array-key, mixed> $fields */
    private function hasHash(array $fields, Payment $payment): bool
    {
        $hash = $fields['hash'] ?? null;
        if (!is_string($hash)) {
            return false;
        }
        $email = $payment->email ?? $fields['payer_email'] ?? null;
        $card = $payment->card ?? $fields['card'] ?? null;
        $known = new Payment(is_string($email) ? $email : null, is_string($card) ? $card : null);
        foreach (self::formulas($fields) as $formula) {
            foreach ($this->passwords as $password) {
                $values = $formula === 'apm.callback' ? $fields : [...$fields, ...$known->values()];
                if (hash_equals(Formulas::hash($formula, $values, $password, $this->digest), strtolower($hash))) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * A callback does not name its protocol, but its fields leave only a few formulas.
     *
     * @param array<array-key, mixed> $fields
     * @return list<string>
     */
    private static function formulas(array $fields): array
    {
        if (isset($fields['order_number'])) {
            return ['checkout.callback'];
        }
        return match ($fields['action'] ?? null) {
            'CREDIT2CARD' => ['card.credit-follow-up'],
            'CREDIT2VIRTUAL', 'CREDIT2CRYPTO' => ['apm.payout-callback'],
            'SALE' => ['card.follow-up', 'apm.callback', 'apm.crypto-callback'],
            default => ['card.follow-up', 'apm.callback'],
        };
    }

    /** @return array<array-key, mixed>|null */
    private static function fields(string $body): ?array
    {
        if (str_starts_with(ltrim($body), '{')) {
            $parsed = json_decode($body, true);
            return is_array($parsed) ? $parsed : null;
        }
        parse_str($body, $fields);
        return $fields;
    }
}
