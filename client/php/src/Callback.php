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
}
