#!/bin/sh
cd "$(dirname "$0")" && PHP_CLI_SERVER_WORKERS=4 exec php -S "127.0.0.1:${PORT:-8080}" index.php
