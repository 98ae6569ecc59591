<?php

declare(strict_types=1);

namespace Gatehouse;

/** Sends requests with PHP's own cURL. */
final class CurlTransport implements Transport
{
    public function __construct(private readonly int $timeoutSeconds = 40)
    {
        if (!extension_loaded('curl')) {
            throw new \LogicException('Install the extension curl, or pass a Psr18Transport.');
        }
    }

    public function send(string $method, string $url, array $headers, string $body): Reply
    {
        $received = [];
        $handle = curl_init($url);
        curl_setopt_array($handle, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => array_map(fn ($name) => "$name: $headers[$name]", array_keys($headers)),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_TIMEOUT => $this->timeoutSeconds,
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$received): int {
                [$name, $value] = [...explode(':', $line, 2), ''];
                $received[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ] + ($method === 'GET' ? [] : [CURLOPT_POSTFIELDS => $body]));
        $text = curl_exec($handle);
        if (!is_string($text)) {
            throw new \RuntimeException(curl_error($handle));
        }
        return new Reply(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $received, $text);
    }
}
