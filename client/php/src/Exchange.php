<?php

declare(strict_types=1);

namespace Gatehouse;

/**
 * Sends a request and repeats it where that is safe: every repetition of a command carries the same idempotency key and the same bytes,
 * so that the service processes it at most once; only the signature is new.
 */
final class Exchange
{
    /** The error code of a repeated request whose first attempt has not ended, or whose answer a proxy's repetition took. */
    private const STILL_RUNNING = 400;
    private const LONGEST_WAIT_SECONDS = 30.0;

    /** @param \Closure(float): void $wait in seconds; tests shorten it */
    public function __construct(
        private readonly Transport $transport,
        private readonly int $retries,
        private readonly \Closure $wait,
    ) {
    }

    /** @return array<array-key, mixed> */
    public function run(Request $request): array
    {
        $isUnknown = false;
        for ($round = 0; ; $round++) {
            $afterSeconds = null;
            $cause = null;
            try {
                $reply = $this->transport->send($request->method, $request->url, $request->signedHeaders(), $request->body);
                $answer = json_decode($reply->body, true);
                if ($reply->status >= 200 && $reply->status < 300 && is_array($answer)) {
                    return $answer;
                }
                $named = $reply->headers['retry-after'] ?? null;
                $afterSeconds = is_numeric($named) ? (float) $named : null;
                $isBusy = $reply->status === 429 || ($reply->status === 503 && $afterSeconds !== null);
                $code = is_array($answer) ? ($answer['error_code'] ?? null) : null;
                $isRunning = $reply->status === 409 && $code === self::STILL_RUNNING;
                if ($reply->status >= 400 && $reply->status < 500 && !$isBusy && !$isRunning) {
                    throw self::refusal($reply, is_array($answer) ? $answer : []);
                }
                $message = $isBusy ? "The service is busy (HTTP $reply->status)." : "The service failed (HTTP $reply->status).";
            } catch (RefusedException $refusal) {
                throw $refusal;
            } catch (\Throwable $error) {
                [$isBusy, $message, $cause] = [false, 'The service did not answer.', $error];
            }
            // An earlier attempt without an answer may have been processed, even if the service was only busy at the last one.
            $isUnknown = $isUnknown || !$isBusy;
            if ($round >= $this->retries) {
                throw $isUnknown ? new UnknownOutcomeException($message, $request->idempotencyKey(), $cause) : new BusyException($message);
            }
            $backoff = 2 ** $round * (1 + random_int(0, 1000) / 2000);
            ($this->wait)(min($isBusy && $afterSeconds ? $afterSeconds : $backoff, self::LONGEST_WAIT_SECONDS));
        }
    }

    /** @param array<array-key, mixed> $answer */
    private static function refusal(Reply $reply, array $answer): RefusedException
    {
        $rows = is_array($answer['errors'] ?? null) ? array_values($answer['errors']) : [];
        return new RefusedException(
            $reply->status,
            (int) ($answer['error_code'] ?? 0),
            (string) ($answer['error_message'] ?? "HTTP status $reply->status."),
            array_map(fn ($row) => ['code' => (int) ($row['error_code'] ?? 0), 'message' => (string) ($row['error_message'] ?? '')], $rows),
            $reply->headers['x-request-id'] ?? null,
        );
    }
}
