<?php

declare(strict_types=1);

namespace Gatehouse;

/** Sends one request over HTTP. */
interface Transport
{
    /**
     * @param array<string, string> $headers
     * @throws \Throwable if no answer came
     */
    public function send(string $method, string $url, array $headers, string $body): Reply;
}
