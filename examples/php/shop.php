<?php

/**
 * A whole shop: hosted page, hosted fields, cards from server to server with 3-D Secure, subscriptions, refunds and callbacks.
 * `orders.php` holds what a shop stores, `pages.php` what its customers see. Run it with `php -S 127.0.0.1:8090 shop.php`.
 */

declare(strict_types=1);

use Gatehouse\CallbackException;
use Gatehouse\Gatehouse;
use Gatehouse\Payment;
use Gatehouse\RefusedException;

// In a project of your own: require 'vendor/autoload.php';
spl_autoload_register(fn (string $class) => require __DIR__ . '/../../client/php/src/' . basename(strtr($class, '\\', '/')) . '.php');
require __DIR__ . '/orders.php';
require __DIR__ . '/pages.php';

$service = getenv('GATEHOUSE_URL') ?: 'http://127.0.0.1:8080';
$setting = static fn (string $name): string => getenv($name) ?: throw new LogicException("Set $name.");
$secrets = [$setting('GATEHOUSE_WEBHOOK_SECRET')];
$gatehouse = new Gatehouse($service, $setting('GATEHOUSE_KEY'), $setting('GATEHOUSE_PASSWORD'), webhookSecrets: $secrets);
$orders = new Orders(getenv('SHOP_FILE') ?: sys_get_temp_dir() . '/gatehouse-shop.json');
$shop = getenv('SHOP_URL') ?: "http://$_SERVER[HTTP_HOST]";
$addressOf = static fn (array $order): string => "$shop/order?number=$order[number]";
$sent = static fn (array $order): array => array_intersect_key($order, ['number' => 1, 'amount' => 1, 'currency' => 1, 'description' => 1]);
$go = static fn (string $address) => header("Location: $address", true, 303);

/** The customer pays on the service's page, and comes back to the order. */
$toHostedPage = static function (array $more) use ($gatehouse, $orders, $shop, $addressOf, $sent, $go): void {
    $order = $orders->add();
    $more += ['success_url' => $addressOf($order), 'cancel_url' => "$shop/", 'customer' => ['name' => 'John Doe', 'email' => 'doe@example.com']];
    $go($gatehouse->checkout('session', ['operation' => 'purchase', 'order' => $sent($order), ...$more])['redirect_url']);
};

try {
    switch ("$_SERVER[REQUEST_METHOD] " . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
        case 'GET /':
            echo homePage($orders->all());
            break;
        case 'POST /hosted-page':
            $toHostedPage([]);
            break;
        case 'POST /subscription':
            $toHostedPage(['recurring_init' => true]);
            break;
        case 'POST /charge': // The first payment has left a token, with which the shop charges without the customer.
            $chain = $orders->find($_POST['number'])['chain'] ?? throw new OutOfBoundsException('This order is no subscription.');
            $order = $orders->add();
            $gatehouse->checkout('payment/recurring', ['order' => $sent($order), ...$chain], $order['number']);
            $go($addressOf($order));
            break;
        case 'GET /fields':
            $order = $orders->add();
            $parameters = ['operation' => 'purchase', 'order' => $sent($order), 'return_url' => $addressOf($order)];
            $session = $gatehouse->checkout('session/token', $parameters);
            $orders->change($order['number'], ['token' => $session['token']]); // It pays the order, so it stays on the server.
            echo fieldsPage($service, $order['number'], $session['client_token']);
            break;
        case 'POST /fields': // The frames have collected the card.
            $order = $orders->find($_POST['number']);
            $agreed = ['order_amount' => $order['amount'], 'order_currency' => $order['currency']];
            $paid = $gatehouse->payWithFields('purchase', $order['token'], ['name' => $_POST['name'], ...$agreed]);
            $next = $paid['result'] === 'redirect' ? $paid['redirect_url'] : $addressOf($order);
            echo json_encode($paid['result'] === 'decline' ? ['message' => $paid['decline_message']] : ['next' => $next]);
            break;
        case 'GET /card':
            echo cardPage();
            break;
        case 'POST /card': // The card passes through this server, which puts it in scope of PCI DSS.
            $order = $orders->add();
            $number = preg_replace('/\D/', '', $_POST['card']);
            [$month, $year] = [...explode('/', $_POST['expiry']), ''];
            $sale = $gatehouse->card('SALE', [
                'order_id' => $order['number'], 'order_amount' => $order['amount'],
                'order_currency' => $order['currency'], 'order_description' => $order['description'],
                'card_number' => $number, 'card_exp_month' => $month, 'card_exp_year' => "20$year", 'card_cvv2' => $_POST['code'],
                'payer_first_name' => $_POST['first_name'], 'payer_last_name' => $_POST['last_name'],
                'payer_email' => $_POST['email'], 'payer_phone' => $_POST['phone'], 'payer_ip' => $_SERVER['REMOTE_ADDR'],
                'term_url_3ds' => $addressOf($order),
            ], idempotencyKey: $order['number']);
            // Later requests are signed with the e-mail and the card's first six and last four digits.
            $mask = substr($number, 0, 6) . '****' . substr($number, -4);
            $orders->change($order['number'], ['card' => ['id' => $sale['trans_id'], 'email' => $_POST['email'], 'mask' => $mask]]);
            $sale['result'] === 'REDIRECT' ? print redirectPage($sale) : $go($addressOf($order));
            break;
        case 'GET /order': // A customer may be back before the callback has come, so an open order is looked up.
            $order = $orders->find($_GET['number']);
            $card = $order['card'] ?? null;
            $seen = match (true) {
                $order['state'] !== 'open' => $order['state'],
                $card !== null => $gatehouse->card('GET_TRANS_STATUS', ['trans_id' => $card['id']], new Payment($card['email'], $card['mask']))['status'],
                default => $gatehouse->checkout('payment/status', ['order_id' => $order['number']])['status'],
            };
            echo orderPage($order, strtolower($seen));
            break;
        case 'POST /refund':
            $order = $orders->find($_POST['number']);
            $card = $order['card'] ?? null;
            $card === null
                ? $gatehouse->checkout('payment/refund', ['payment_id' => $order['payment'], 'amount' => $order['amount']])
                : $gatehouse->card('CREDITVOID', ['trans_id' => $card['id']], new Payment($card['email'], $card['mask']));
            $go($addressOf($order));
            break;
        case 'POST /callbacks': // The only proof of payment. Those that did not arrive are fetched first, so that they come in order.
            $callback = $gatehouse->callbacks->verify(getallheaders(), file_get_contents('php://input'));
            $last = $orders->lastSequence($callback);
            foreach ($callback->sequence > $last ? $gatehouse->events->withMissing($callback, $last) : [] as $one) {
                $orders->record($one);
            }
            echo 'OK';
            break;
        default:
            throw new OutOfBoundsException('There is no such page.');
    }
} catch (Throwable $error) {
    error_log((string) $error);
    http_response_code($error instanceof CallbackException ? 400 : 500);
    $isShown = $error instanceof RefusedException || $error instanceof OutOfBoundsException;
    echo messagePage($isShown ? $error->getMessage() : 'This did not work. Please try again.');
}
