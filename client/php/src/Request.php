<?php

declare(strict_types=1);

namespace Gatehouse;

/** A request as it is sent. A repetition sends the same bytes with a new signature. */
final class Request
{
    private const KEY_HEADER = 'idempotency-key';

    /** @param array<string, string> $headers */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        public readonly array $headers,
        public readonly string $body = '',
        private readonly ?RequestSignature $signature = null,
        private readonly string $path = '',
    ) {
    }

    /** Null leaves the request without a key, as look-ups are. */
    public function withKey(?string $idempotencyKey): self
    {
        $headers = $idempotencyKey === null ? $this->headers : [...$this->headers, self::KEY_HEADER => $idempotencyKey];
        return new self($this->method, $this->url, $headers, $this->body, $this->signature, $this->path);
    }

    /** For one attempt: the service accepts an id once. @return array<string, string> */
    public function signedHeaders(): array
    {
        if ($this->signature === null) {
            return $this->headers;
        }
        $id = 'msg_' . bin2hex(random_bytes(16));
        $parts = [$this->headers['token'] ?? '', $this->idempotencyKey() ?? '', $this->body];
        return [...$this->headers, ...$this->signature->headers("$this->method $this->path", $parts, $id, time())];
    }

    public function idempotencyKey(): ?string
    {
        return $this->headers[self::KEY_HEADER] ?? null;
    }
}
