<?php

declare(strict_types=1);

/** As Composer would load the classes. */
spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/../src/' . str_replace('Gatehouse\\', '', $class) . '.php';
    if (str_starts_with($class, 'Gatehouse\\') && is_file($file)) {
        require $file;
    }
});
