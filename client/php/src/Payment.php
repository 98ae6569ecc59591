<?php

declare(strict_types=1);

namespace Gatehouse;

/** Values of a payment that its later requests and callbacks are signed with. Store them with the payment. */
final class Payment
{
    /**
     * @param string|null $email the `payer_email` of the payment; null for a payout
     * @param string|null $card the card's number, its mask, or its first six and last four digits
     */
    public function __construct(public readonly ?string $email = null, public readonly ?string $card = null)
    {
    }

    /** @return array<string, string> */
    public function values(): array
    {
        return [
            ...($this->email === null ? [] : ['email' => $this->email, 'payer_email' => $this->email]),
            ...($this->card === null ? [] : ['pan10' => self::pan10($this->card)]),
        ];
    }

    public static function pan10(string $card): string
    {
        return substr($card, 0, 6) . substr($card, -4);
    }
}
