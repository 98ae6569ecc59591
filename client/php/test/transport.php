<?php

/** How the library repeats requests, with a transport that fails as the test says. Prints one JSON object. */

declare(strict_types=1);

use Gatehouse\BusyException;
use Gatehouse\Gatehouse;
use Gatehouse\RefusedException;
use Gatehouse\Reply;
use Gatehouse\Transport;
use Gatehouse\UnknownOutcomeException;

require __DIR__ . '/autoload.php';

final class FailingTransport implements Transport
{
    /** @var list<string> */
    public array $sent = [];

    /** @var list<string> */
    public array $ids = [];

    /** @param list<Reply|null> $replies null for a broken connection */
    public function __construct(public array $replies)
    {
    }

    public function send(string $method, string $url, array $headers, string $body): Reply
    {
        $this->sent[] = ($headers['idempotency-key'] ?? 'none') . ' ' . $body;
        $this->ids[] = $headers['webhook-id'];
        return array_shift($this->replies) ?? throw new RuntimeException('connection reset');
    }
}

$paid = new Reply(200, [], '{"result":"SUCCESS"}');
$failed = new Reply(500, [], '{"error_code":100000}');
$busy = new Reply(503, ['retry-after' => '7'], '{"error_code":100000}');
$running = new Reply(409, [], '{"error_code":400,"error_message":"Duplicate request."}');
$repeated = new Reply(409, [], '{"error_code":400,"error_message":"Signed request was used before."}');
$refused = new Reply(400, ['x-request-id' => 'r1'], '{"error_code":100000,"error_message":"Request data is invalid.","errors":[{"error_code":100000,"error_message":"hash: Hash is not valid."}]}');

$waits = [];
$run = static function (array $replies, string $action = 'CAPTURE') use (&$waits): array {
    $transport = new FailingTransport($replies);
    $waits = [];
    $gatehouse = new Gatehouse('https://pay.example.com/', 'key', 'password', transport: $transport, retries: 2, wait: static function (float $seconds) use (&$waits): void {
        $waits[] = $seconds;
    });
    try {
        $outcome = $gatehouse->card($action, ['trans_id' => 't'])['result'];
    } catch (RefusedException $error) {
        $outcome = "refused $error->http $error->errorCode {$error->violations[0]['message']} $error->requestId";
    } catch (BusyException) {
        $outcome = 'busy';
    } catch (UnknownOutcomeException $error) {
        $outcome = str_starts_with($transport->sent[0], "$error->idempotencyKey ") ? 'unknown' : 'unknown without its key';
    }
    $newIds = count(array_unique($transport->ids)) === count($transport->ids);
    return [$newIds ? $outcome : 'an id was sent twice', count($transport->sent), count(array_unique($transport->sent))];
};

echo json_encode([
    'lost twice' => $run([null, $failed, $paid]),
    'look-up' => $run([null, $paid], 'GET_TRANS_STATUS'),
    'busy twice' => [...$run([$busy, $busy, $paid]), $waits],
    'always busy' => $run([$busy, $busy, $busy]),
    'lost, then busy' => $run([null, $busy, $busy]),
    'still running' => $run([null, $running, $paid]),
    'repeated by a proxy' => $run([$repeated, $paid]),
    'refused' => $run([$refused]),
]), "\n";
