<?php

declare(strict_types=1);

namespace Gatehouse;

use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;

/** Sends requests with any PSR-18 client. Set its timeout to 40 seconds: the service answers within 30. */
final class Psr18Transport implements Transport
{
    public function __construct(
        private readonly ClientInterface $client,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
    ) {
    }

    public function send(string $method, string $url, array $headers, string $body): Reply
    {
        $request = $this->requests->createRequest($method, $url);
        foreach ($headers as $name => $value) {
            $request = $request->withHeader($name, $value);
        }
        if ($body !== '') {
            $request = $request->withBody($this->streams->createStream($body));
        }
        $reply = $this->client->sendRequest($request);
        $received = [];
        foreach (array_keys($reply->getHeaders()) as $name) {
            $received[strtolower((string) $name)] = $reply->getHeaderLine((string) $name);
        }
        return new Reply($reply->getStatusCode(), $received, (string) $reply->getBody());
    }
}
