<?php

declare(strict_types=1);

namespace Gatehouse;

/** A request as it is sent. A repetition sends the same object. */
final class Request
{
    private const KEY_HEADER = 'idempotency-key';

    /** @param array<string, string> $headers */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        public readonly array $headers,
        public readonly string $body = '',
    ) {
    }

    /** Null leaves the request without a key, as look-ups are. */
    public function withKey(?string $idempotencyKey): self
    {
        $headers = $idempotencyKey === null ? $this->headers : [...$this->headers, self::KEY_HEADER => $idempotencyKey];
        return new self($this->method, $this->url, $headers, $this->body);
    }

    public function idempotencyKey(): ?string
    {
        return $this->headers[self::KEY_HEADER] ?? null;
    }
}
