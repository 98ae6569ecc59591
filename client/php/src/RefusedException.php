<?php

declare(strict_types=1);

namespace Gatehouse;

/** The service refused the request, and nothing was processed. */
final class RefusedException extends \RuntimeException
{
    /**
     * @param list<array{code: int, message: string}> $violations one entry per wrong parameter
     * @param string|null $requestId for questions to the service's support
     */
    public function __construct(
        public readonly int $http,
        public readonly int $errorCode,
        string $message,
        public readonly array $violations,
        public readonly ?string $requestId,
    ) {
        parent::__construct(implode(' ', [$message, ...array_column($violations, 'message')]), $errorCode);
    }
}
