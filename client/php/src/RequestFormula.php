<?php

declare(strict_types=1);

namespace Gatehouse;

/** The hash of a request, by protocol and action. */
final class RequestFormula
{
    public function __construct(#[\SensitiveParameter] private readonly string $password, private readonly string $digest)
    {
    }

    /**
     * @param 'card'|'apm'|'checkout' $protocol
     * @param string $action the action of a form, or the path of Checkout
     * @param array<array-key, mixed> $parameters
     */
    public function hash(string $protocol, string $action, array $parameters, Payment $payment = new Payment()): string
    {
        $formula = match ($protocol) {
            'card' => self::card($action, $parameters),
            'apm' => self::apm($action),
            'checkout' => self::checkout($action, $parameters),
        };
        $number = $parameters['card_number'] ?? $parameters['payer_card_number'] ?? null;
        $values = [
            ...self::texts($parameters),
            ...(isset($parameters['payer_email']) ? ['email' => $parameters['payer_email']] : []),
            ...(is_string($number) ? ['pan10' => Payment::pan10($number)] : []),
            ...$payment->values(),
        ];
        return Formulas::hash($formula, $values, $this->password, $this->digest);
    }

    /** @param array<array-key, mixed> $sent */
    private static function card(string $action, array $sent): string
    {
        $hasNumber = isset($sent['card_number']);
        return match (true) {
            in_array($action, ['SALE', 'AUTH', 'DEBIT'], true) => match (true) {
                !$hasNumber && isset($sent['card_token']) => 'card.start-with-token',
                !$hasNumber && isset($sent['payment_token']) => 'card.wallet',
                default => 'card.start',
            },
            in_array($action, ['CARD2CARD', 'RECURRING_SALE', 'RECURRING_DEBIT'], true) => 'card.start',
            $action === 'CREDIT2CARD' => $hasNumber ? 'card.credit' : 'card.credit-with-token',
            $action === 'GET_TRANS_STATUS_BY_ORDER' => 'card.by-order',
            $action === 'CREATE_SCHEDULE' => 'card.create-schedule',
            str_contains($action, 'SCHEDULE') => 'card.schedule',
            default => 'card.follow-up',
        };
    }

    private static function apm(string $action): string
    {
        return match ($action) {
            'SALE', 'DEBIT2VIRTUAL', 'DEBIT2VIRTUAL_CALC' => 'apm.start',
            'CREDITVOID' => 'apm.credit-void',
            'CREDIT2VIRTUAL', 'CREDIT2CRYPTO' => 'apm.payout',
            'GET_TRANS_STATUS_BY_ORDER' => 'apm.by-order',
            default => 'apm.follow-up',
        };
    }

    /** @param array<array-key, mixed> $sent */
    private static function checkout(string $path, array $sent): string
    {
        return match ($path) {
            '/api/v1/session', '/api/v1/session/token' => 'checkout.session',
            '/api/v1/payment/capture', '/api/v1/payment/refund' => 'checkout.payment-amount',
            '/api/v1/payment/recurring' => 'checkout.recurring',
            '/api/v1/payment/card/credit' => 'checkout.card-credit',
            default => isset($sent['payment_id']) ? 'checkout.payment' : 'checkout.order',
        };
    }

    /**
     * Members of an object by their names with a point.
     *
     * @param array<array-key, mixed> $parameters
     * @return array<string, mixed>
     */
    private static function texts(array $parameters): array
    {
        $texts = [];
        foreach ($parameters as $name => $value) {
            foreach (is_array($value) ? $value : [] as $member => $inner) {
                $texts["$name.$member"] = $inner;
            }
            $texts[$name] = is_array($value) ? null : $value;
        }
        return $texts;
    }
}
