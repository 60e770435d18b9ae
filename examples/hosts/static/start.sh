#!/bin/sh
cd "$(dirname "$0")" && folder=$(mktemp -d) && chmod 755 "$folder" && cp -r nginx.conf html "$folder"
sed -e "s|pages:8080|unix:pages.sock|" -e "s|fragments:3000|${FRAGMENTS:-localhost:3000}|" -e "s|server http://|server |" \
  -e "s|/var/cache/nginx|$folder|" -e "s|listen 80;|listen 127.0.0.1:${PORT:-8080};|" ../../../deploy/edge/nginx.conf > "$folder/edge.conf"
cd "$folder" && PATH="$PATH:/usr/sbin" exec nginx -p "$folder" -c "$folder/nginx.conf" -e stderr -g "daemon off; pid nginx.pid;"
