<?php

/** What a shop stores: its orders, and how far it has read each payment's callbacks. Here in a file; yours are in a database. */

declare(strict_types=1);

use Gatehouse\Callback;

final class Orders
{
    /** @var array{orders: array<string, array<string, mixed>>, sequences: array<string, int>} */
    private array $stored = ['orders' => [], 'sequences' => []];

    public function __construct(private readonly string $file)
    {
        $this->stored = json_decode((string) @file_get_contents($file), true) ?? $this->stored;
    }

    /** The newest first. */
    public function all(): array
    {
        return array_reverse($this->stored['orders']);
    }

    /** @return array<string, mixed> */
    public function add(): array
    {
        $number = 'SHOP-' . bin2hex(random_bytes(8));
        return $this->change($number, ['number' => $number, 'state' => 'open']
            + ['amount' => '10.00', 'currency' => 'EUR', 'description' => 'A pair of shoes']);
    }

    /** @return array<string, mixed> */
    public function find(string $number): array
    {
        return $this->stored['orders'][$number] ?? throw new OutOfBoundsException('There is no such order.');
    }

    /** @return array<string, mixed> */
    public function change(string $number, array $members): array
    {
        $this->write(fn () => $this->stored['orders'][$number] = [...($this->stored['orders'][$number] ?? []), ...$members]);
        return $this->find($number);
    }

    public function lastSequence(Callback $callback): int
    {
        return $this->stored['sequences'][self::payment($callback)] ?? 0;
    }

    public function record(Callback $callback): void
    {
        $fields = $callback->fields;
        $payment = self::payment($callback);
        $this->write(fn () => $this->stored['sequences'][$payment] = $callback->sequence);
        $order = $this->stored['orders'][$fields['order_number'] ?? $fields['order_id']] ?? null;
        $outcome = strtolower(isset($fields['order_status']) ? $fields['status'] : $fields['result']);
        $isOther = ($order['state'] ?? null) === 'settled' && $order['payment'] !== $payment;
        // An unknown outcome is no decline: another callback follows. A paid order is changed only by the payment that paid it.
        if ($order === null || $outcome === 'undefined' || $isOther) {
            return;
        }
        $chain = array_intersect_key($fields, ['recurring_init_trans_id' => 1, 'recurring_token' => 1]);
        // Paid is an order only with its own amount; a payment of another one is for people to look at.
        $isRight = $callback->agreesWith($order['amount'], $order['currency']);
        $state = $isRight ? strtolower($fields['order_status'] ?? $fields['status']) : 'wrong amount';
        $this->change($order['number'], ['state' => $state, 'payment' => $payment] + ($chain ? ['chain' => $chain] : []));
    }

    private static function payment(Callback $callback): string
    {
        return $callback->fields['id'] ?? $callback->fields['trans_id'];
    }

    /** Reads the file again under a lock, because a callback may arrive while another request is being served. */
    private function write(Closure $change): void
    {
        $handle = fopen($this->file, 'c+') ?: throw new RuntimeException("$this->file cannot be written.");
        flock($handle, LOCK_EX);
        $this->stored = json_decode((string) stream_get_contents($handle), true) ?? $this->stored;
        $change();
        ftruncate($handle, 0);
        rewind($handle);
        fwrite($handle, json_encode($this->stored, JSON_THROW_ON_ERROR));
        fclose($handle);
    }
}
