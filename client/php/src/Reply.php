<?php

declare(strict_types=1);

namespace Gatehouse;

/** An answer over HTTP. */
final class Reply
{
    /** @param array<string, string> $headers by their names in lower case */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }
}
