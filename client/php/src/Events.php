<?php

declare(strict_types=1);

namespace Gatehouse;

/** The events feed: every callback of the last 30 days in the order of writing, for a receiver that was down or sees a gap. */
final class Events
{
    /** @param list<string> $secrets */
    public function __construct(
        private readonly string $baseUrl,
        private readonly string $key,
        private readonly array $secrets,
        private readonly Callbacks $callbacks,
        private readonly Exchange $exchange,
    ) {
    }

    /**
     * Reads to the end of the feed, page by page; without a cursor from 30 days ago. The keys are cursors: store one once its callback is
     * handled, and continue behind it. Handle each `id` once.
     *
     * @return \Generator<string, Callback>
     */
    public function since(?string $cursor = null): \Generator
    {
        do {
            $page = $this->page($cursor === null ? '' : '?after=' . rawurlencode($cursor));
            foreach ($page['events'] as $event) {
                yield $event['cursor'] => $this->callbacks->verify($event['headers'], $event['body']);
            }
            $cursor = $page['next'] ?? $cursor;
        } while ($page['has_more']);
    }

    /**
     * The newest callbacks, at most 500, and the cursor behind them; with 0 only the cursor, to begin with what comes.
     *
     * @return array{events: list<Callback>, cursor: string|null}
     */
    public function last(int $count): array
    {
        $page = $this->page("?last=$count");
        $events = array_map(fn (array $event) => $this->callbacks->verify($event['headers'], $event['body']), $page['events']);
        return ['events' => $events, 'cursor' => $page['next']];
    }

    /**
     * The callbacks to handle now, in order: those of the payment that did not arrive, then this one. `$lastSequence` is the number of the
     * payment's last callback that you have handled, 0 if none. Throws if the gap cannot be closed yet: answer 503, and it is delivered
     * again.
     *
     * @return list<Callback>
     */
    public function withMissing(Callback $callback, int $lastSequence, ?string $cursor = null): array
    {
        if ($callback->sequence === null || $callback->sequence <= $lastSequence + 1) {
            return [$callback];
        }
        $found = [];
        foreach ($this->since($cursor) as $event) {
            $isMissing = $event->sequence > $lastSequence && $event->sequence < $callback->sequence;
            if ($isMissing && self::payment($event) === self::payment($callback)) {
                $found[$event->sequence] = $event;
            }
        }
        if (count($found) < $callback->sequence - $lastSequence - 1) {
            throw new CallbackException('Earlier callbacks of the payment are missing.');
        }
        ksort($found);
        return [...array_values($found), $callback];
    }

    private static function payment(Callback $callback): mixed
    {
        return $callback->fields['trans_id'] ?? $callback->fields['id'] ?? null;
    }

    /** @return array{events: list<array{cursor: string, headers: array<string, string>, body: string}>, next: string|null, has_more: bool} */
    private function page(string $query): array
    {
        $secret = $this->secrets[0] ?? throw new \LogicException('The events feed needs webhookSecrets.');
        $timestamp = (string) time();
        $key = base64_decode(substr($secret, strlen('whsec_')), true);
        $mac = hash_hmac('sha256', "$this->key.$timestamp.GET /events$query", (string) $key, true);
        $headers = [
            'accept' => 'application/json',
            'webhook-key' => $this->key,
            'webhook-timestamp' => $timestamp,
            'webhook-signature' => 'v1,' . base64_encode($mac),
        ];
        return $this->exchange->run(new Request('GET', "$this->baseUrl/events$query", $headers));
    }
}
