#!/bin/sh
# nginx takes PORT, and PHP the one after it.
port=${PORT:-8080} php=$((${PORT:-8080} + 1))
cd "$(dirname "$0")" && folder=$(mktemp -d) && chmod 755 "$folder" && cp nginx.conf "$folder"
sed -e "s|pages:8080|127.0.0.1:$php|" -e "s|fragments:3000|${FRAGMENTS:-localhost:3000}|" -e "s|server http://|server |" \
  -e "s|/var/cache/nginx|$folder|" -e "s|listen 80;|listen 127.0.0.1:$port;|" ../../../deploy/edge/nginx.conf > "$folder/edge.conf"
EDGE="http://127.0.0.1:$port" PHP_CLI_SERVER_WORKERS=4 php -S "127.0.0.1:$php" index.php &
cd "$folder" && PATH="$PATH:/usr/sbin" exec nginx -p "$folder" -c "$folder/nginx.conf" -e stderr -g "daemon off; pid nginx.pid;"
