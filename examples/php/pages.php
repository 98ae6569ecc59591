<?php

/** What the shop's customers see, and below it what its owner sees. */

declare(strict_types=1);

function page(string $title, string $content): string
{
    return <<<HTML
    <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>$title</title>
    <style>:root { color-scheme: light dark; font: 16px/1.5 system-ui } body { max-width: 38rem; margin: auto; padding: 1rem }
    form, label { display: block; margin: .75rem 0 } input, button { font: inherit; padding: .5rem; max-width: 100% }
    label input { display: block; width: 100%; box-sizing: border-box } .frame { border: 1px solid; height: 2.75rem }
    li { overflow-wrap: anywhere }</style><main><h1>$title</h1>$content</main></html>
    HTML;
}

function button(string $path, string $title, string $number = ''): string
{
    $hidden = hidden('number', $number);
    return "<form method='post' action='$path'>$hidden<button>$title</button></form>";
}

function hidden(string $name, string $value): string
{
    return sprintf('<input type="hidden" name="%s" value="%s">', htmlspecialchars($name), htmlspecialchars($value));
}

function input(string $name, string $title, string $value): string
{
    return "<label>$title<input name='$name' value='$value' required></label>";
}

function messagePage(string $message): string
{
    return page('Shoes', '<p role="alert">' . htmlspecialchars($message) . '</p><a href="/">Back to the shop</a>');
}

function homePage(array $orders): string
{
    $rows = array_map(fn ($one) => "<li><a href='/order?number=$one[number]'>$one[number]</a>: $one[state]", $orders);
    return page('Shoes', '<p>A pair of shoes, 10.00 EUR.</p>' . button('/hosted-page', 'Pay on the hosted page')
        . '<p><a href="/fields">Pay with hosted fields</a></p><p><a href="/card">Pay from server to server</a></p>'
        . button('/subscription', 'Subscribe: a new pair every month') . '<h2>Orders</h2><ul>' . implode('', $rows) . '</ul>');
}

function orderPage(array $order, string $seen): string
{
    return page('Your order', "<p>Order $order[number] is <strong>$seen</strong>.</p>"
        . ($order['state'] === 'settled' ? button('/refund', 'Refund', $order['number']) : '')
        . (isset($order['chain']) ? button('/charge', 'Charge the next month', $order['number']) : '')
        . '<a href="/">Back to the shop</a>');
}

function cardPage(): string
{
    return page('Your card', '<form method="post">' . input('card', 'Card number', '4111 1111 1111 1111')
        . input('expiry', 'Expiry date', '01/38') . input('code', 'Security code', '123')
        . input('first_name', 'First name', 'John') . input('last_name', 'Last name', 'Doe')
        . input('email', 'E-mail', 'doe@example.com') . input('phone', 'Phone', '199999999')
        . '<button>Pay 10.00 EUR</button></form>');
}

/** Sends the browser to the bank, by the method and with the parameters of the answer. */
function redirectPage(array $answer): string
{
    $parameters = $answer['redirect_params'] ?? [];
    $hidden = implode('', array_map(hidden(...), array_keys($parameters), $parameters));
    return page('One moment', "<form id='go' method='$answer[redirect_method]' action='$answer[redirect_url]'>$hidden"
        . '<button>Continue to your bank</button></form><script>document.getElementById("go").submit()</script>');
}

function fieldsPage(string $baseUrl, string $number, string $clientToken): string
{
    $name = input('name', 'Name on the card', 'John Doe');
    return page('Your card', <<<HTML
    <form id="pay">$name Card number <div class="frame" id="card"></div>Expiry date <div class="frame" id="expiry"></div>
    Security code <div class="frame" id="cvv"></div><p role="alert" id="message"></p><button>Pay 10.00 EUR</button></form>
    <script src="$baseUrl/sdk/hosted-fields.js"></script><script>
    const fields = new HostedFields(), message = document.getElementById('message')
    fields.init({ sessionToken: '$clientToken', fields: { card: { id: 'card' }, expiry: { id: 'expiry' }, cvv: { id: 'cvv' } } })
    document.getElementById('pay').onsubmit = async (event) => {
      event.preventDefault()
      const collected = await fields.collectIframesData()
      if (collected.result === 'error') return (message.textContent = collected.message)
      const body = new URLSearchParams({ number: '$number', name: event.target.elements.name.value })
      const reply = await fetch('/fields', { method: 'POST', body })
      const answer = reply.ok ? await reply.json() : { message: 'This did not work. Please try again.' }
      if (answer.next) location.assign(answer.next)
      else message.textContent = answer.message
    }</script>
    HTML);
}
