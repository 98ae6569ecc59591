<?php

declare(strict_types=1);

namespace Gatehouse;

/** Signs a request as a whole: the hash leaves out parts of it, such as the amount of a card payment. */
final class RequestSignature
{
    private readonly string $key;

    /** The key is derived, so that a callback's signature is never that of a request. */
    public function __construct(#[\SensitiveParameter] string $password)
    {
        $this->key = hash_hmac('sha256', 'request', $password, true);
    }

    /**
     * @param string $target method and path, from the first slash of the interface on
     * @param array{string, string, string} $parts token and idempotency key, empty if there are none, and the body
     * @return array<string, string>
     */
    public function headers(string $target, array $parts, string $id, int $timestamp): array
    {
        $mac = hash_hmac('sha256', "$id.$timestamp." . implode("\n", [$target, ...$parts]), $this->key, true);
        return [
            'webhook-id' => $id,
            'webhook-timestamp' => (string) $timestamp,
            'webhook-signature' => 'v1,' . base64_encode($mac),
        ];
    }
}
