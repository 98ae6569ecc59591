<?php

declare(strict_types=1);

namespace Gatehouse;

/** A merchant's connection to the service: signs and sends requests of the three protocols, and verifies callbacks. */
final class Gatehouse
{
    public readonly Callbacks $callbacks;
    public readonly Events $events;
    private readonly string $baseUrl;
    private readonly Exchange $exchange;

    /**
     * @param string $baseUrl for example `https://pay.example.com`
     * @param string $key the merchant's key or test key
     * @param string $digest by the mapping; `md5` unless the operator has changed it
     * @param list<string> $webhookSecrets secrets of callbacks, each beginning with `whsec_`
     * @param string|null $previousPassword during a change of the password: callbacks may still be signed with it
     * @param (\Closure(float): void)|null $wait
     */
    public function __construct(
        string $baseUrl,
        private readonly string $key,
        #[\SensitiveParameter] private readonly string $password,
        private readonly string $digest = 'md5',
        #[\SensitiveParameter] array $webhookSecrets = [],
        #[\SensitiveParameter] ?string $previousPassword = null,
        ?Transport $transport = null,
        int $retries = 3,
        ?\Closure $wait = null,
    ) {
        if (filter_var($baseUrl, FILTER_VALIDATE_URL) === false) {
            throw new \InvalidArgumentException('The base URL is not an address.');
        }
        if ($key === '' || $password === '') {
            throw new \InvalidArgumentException('Key and password must not be empty.');
        }
        $this->baseUrl = rtrim($baseUrl, '/');
        $passwords = $previousPassword === null ? [$password] : [$password, $previousPassword];
        $this->callbacks = new Callbacks($passwords, $webhookSecrets, $digest);
        $sleep = static fn (float $seconds) => usleep((int) ($seconds * 1_000_000));
        $this->exchange = new Exchange($transport ?? new CurlTransport(), $retries, $wait ?? $sleep);
        $this->events = new Events($this->baseUrl, $key, $webhookSecrets, $this->callbacks, $this->exchange);
    }

    /**
     * S2S CARD.
     *
     * @param array<string, mixed> $parameters without client_key and hash
     * @return array<array-key, mixed>
     */
    public function card(string $action, array $parameters, ?Payment $payment = null, ?string $idempotencyKey = null): array
    {
        return $this->form('card', '/post', $action, $parameters, $payment, $idempotencyKey);
    }

    /**
     * S2S APM.
     *
     * @param array<string, mixed> $parameters without client_key and hash
     * @return array<array-key, mixed>
     */
    public function apm(string $action, array $parameters, ?string $idempotencyKey = null): array
    {
        return $this->form('apm', '/post-va', $action, $parameters, null, $idempotencyKey);
    }

    /**
     * Checkout, by the last part of its address: `session`, `payment/refund` and so on.
     *
     * @param array<string, mixed> $parameters without merchant_key and hash
     * @return array<array-key, mixed>
     */
    public function checkout(string $name, array $parameters, ?string $idempotencyKey = null): array
    {
        $path = "/api/v1/$name";
        $hash = RequestFormula::hash('checkout', $path, $parameters, new Payment(), $this->password, $this->digest);
        $body = self::json(['merchant_key' => $this->key, ...$parameters, 'hash' => $hash]);
        return $this->send($path, 'application/json', $body, str_ends_with($name, 'status'), $idempotencyKey);
    }

    /**
     * Hosted fields: charges the card that the page has collected for the session, by its operation.
     *
     * @param 'purchase'|'debit' $operation
     * @param array<string, mixed> $parameters
     * @return array<array-key, mixed>
     */
    public function payWithFields(string $operation, string $token, array $parameters, ?string $idempotencyKey = null): array
    {
        $headers = ['content-type' => 'application/json', 'accept' => 'application/json', 'token' => $token];
        $body = self::json(['with_hosted_fields' => true, ...$parameters]);
        $key = $idempotencyKey ?? bin2hex(random_bytes(16));
        return $this->exchange->run('POST', "$this->baseUrl/api/v1/processing/$operation/card", $headers, $body, $key);
    }

    /**
     * Hosted fields: changes the order of a session until it is paid.
     *
     * @param array<string, mixed> $parameters
     * @return array<array-key, mixed>
     */
    public function updateSession(string $token, array $parameters): array
    {
        $headers = ['content-type' => 'application/json', 'accept' => 'application/json', 'token' => $token];
        return $this->exchange->run('PUT', "$this->baseUrl/api/v1/session/update", $headers, self::json($parameters), null);
    }

    /**
     * @param 'card'|'apm' $protocol
     * @param array<string, mixed> $parameters
     * @return array<array-key, mixed>
     */
    private function form(string $protocol, string $path, string $action, array $parameters, ?Payment $payment, ?string $key): array
    {
        $hash = RequestFormula::hash($protocol, $action, $parameters, $payment ?? new Payment(), $this->password, $this->digest);
        $body = http_build_query(['action' => $action, 'client_key' => $this->key, ...$parameters, 'hash' => $hash]);
        $isLookUp = preg_match('/^GET_|_INFO$/', $action) === 1;
        return $this->send($path, 'application/x-www-form-urlencoded', $body, $isLookUp, $key);
    }

    /** @return array<array-key, mixed> */
    private function send(string $path, string $type, string $body, bool $isLookUp, ?string $key): array
    {
        $headers = ['content-type' => $type, 'accept' => 'application/json'];
        $own = $key ?? ($isLookUp ? null : bin2hex(random_bytes(16)));
        return $this->exchange->run('POST', $this->baseUrl . $path, $headers, $body, $own);
    }

    /** @param array<string, mixed> $members */
    private static function json(array $members): string
    {
        return json_encode($members, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
    }
}
