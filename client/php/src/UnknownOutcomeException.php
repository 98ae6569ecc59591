<?php

declare(strict_types=1);

namespace Gatehouse;

/**
 * No attempt got an answer, so the request may have been processed. Repeat it with the same key, ask for the status, or wait for the
 * callback. Do not send it again with another key: the payer could be charged twice.
 */
final class UnknownOutcomeException extends \RuntimeException
{
    public function __construct(string $message, public readonly ?string $idempotencyKey, ?\Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
    }
}
