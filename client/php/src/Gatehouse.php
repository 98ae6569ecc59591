<?php

declare(strict_types=1);

namespace Gatehouse;

/** A merchant's connection to the service: signs and sends requests of the three protocols, and verifies callbacks. */
final class Gatehouse
{
    public readonly Callbacks $callbacks;
    public readonly Events $events;
    private readonly string $baseUrl;
    private readonly RequestFormula $formula;
    private readonly RequestSignature $signature;
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
        #[\SensitiveParameter] string $password,
        string $digest = 'md5',
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
        $this->formula = new RequestFormula($password, $digest);
        $this->signature = new RequestSignature($password);
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
        $request = $this->form('/post', $action, $parameters, $this->formula->hash('card', $action, $parameters, $payment ?? new Payment()));
        return $this->exchange->run($request->withKey($idempotencyKey ?? self::keyOf($action)));
    }

    /**
     * S2S APM.
     *
     * @param array<string, mixed> $parameters without client_key and hash
     * @return array<array-key, mixed>
     */
    public function apm(string $action, array $parameters, ?string $idempotencyKey = null): array
    {
        $request = $this->form('/post-va', $action, $parameters, $this->formula->hash('apm', $action, $parameters));
        return $this->exchange->run($request->withKey($idempotencyKey ?? self::keyOf($action)));
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
        $hash = $this->formula->hash('checkout', $path, $parameters);
        $request = $this->json('POST', $path, ['merchant_key' => $this->key, ...$parameters, 'hash' => $hash]);
        return $this->exchange->run($request->withKey($idempotencyKey ?? self::keyOf($name)));
    }

    /**
     * Hosted fields: charges the card that the page has collected for the session, by its operation. Name `order_amount` and `order_currency`
     * of your order: the service refuses a session that has others. The token stays on your server.
     *
     * @param 'purchase'|'debit' $operation
     * @param array<string, mixed> $parameters
     * @return array<array-key, mixed>
     */
    public function payWithFields(string $operation, string $token, array $parameters, ?string $idempotencyKey = null): array
    {
        $request = $this->json('POST', "/api/v1/processing/$operation/card", ['with_hosted_fields' => true, ...$parameters], $token);
        return $this->exchange->run($request->withKey($idempotencyKey ?? self::newKey()));
    }

    /**
     * Hosted fields: changes the order of a session until it is paid.
     *
     * @param array<string, mixed> $parameters
     * @return array<array-key, mixed>
     */
    public function updateSession(string $token, array $parameters): array
    {
        return $this->exchange->run($this->json('PUT', '/api/v1/session/update', $parameters, $token));
    }

    /** @param array<string, mixed> $parameters */
    private function form(string $path, string $action, array $parameters, string $hash): Request
    {
        $headers = ['content-type' => 'application/x-www-form-urlencoded', 'accept' => 'application/json'];
        $body = http_build_query(['action' => $action, 'client_key' => $this->key, ...$parameters, 'hash' => $hash]);
        return new Request('POST', $this->baseUrl . $path, $headers, $body, $this->signature, $path);
    }

    /**
     * @param array<string, mixed> $members
     * @param string|null $token of a session of hosted fields, whose calls have no hash
     */
    private function json(string $method, string $path, array $members, ?string $token = null): Request
    {
        $headers = ['content-type' => 'application/json', 'accept' => 'application/json', ...($token === null ? [] : ['token' => $token])];
        $body = json_encode($members, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
        return new Request($method, $this->baseUrl . $path, $headers, $body, $this->signature, $path);
    }

    /** Look-ups change nothing and need no key. */
    private static function keyOf(string $action): ?string
    {
        return preg_match('/^GET_|_INFO$|status$/', $action) === 1 ? null : self::newKey();
    }

    private static function newKey(): string
    {
        return bin2hex(random_bytes(16));
    }
}
