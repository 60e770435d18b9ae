# The built service, which has its packages within it, on the official Node image.
#   docker build --tag storefront-fragments:1.0.0 .
#   docker run --rm --read-only --volume ./shop:/shop:ro --volume storefront-data:/data --publish 3000:3000 --env-file production.env storefront-fragments:1.0.0
# docs/go-live.md has that file and the folder, which you must fill in. --env NODE_ENV= instead of the file serves the demo.

# Pinned, because a tag can be moved. Prints the digest of a newer one: docker buildx imagetools inspect node:26-slim
FROM node:26.10.0-slim@sha256:930557a230abacbc3f4fd9b8648abf8f4bee1e17cb72195dcdfb2f709bc85b33 AS node

FROM node AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Runs no install scripts: the image has Node, and esbuild's binary comes in a package.
RUN npm ci --ignore-scripts
COPY build.mjs brand.json vex.json ./
COPY server server
COPY client client
COPY countries countries
COPY deploy deploy
COPY examples/new-shop examples/new-shop
COPY locales locales
COPY schemas schemas
RUN node build.mjs

FROM node
LABEL org.opencontainers.image.title="Storefront Fragments" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
RUN install --directory --owner=1000 --group=1000 --mode=0700 /data
VOLUME /data
WORKDIR /app
COPY --from=build /app/dist ./
RUN ln -s /app/server/commands/main.js /usr/local/bin/storefront-fragments
# The user "node", as a number: from a name, Kubernetes can't tell whether it is root.
USER 1000:1000
EXPOSE 3000 9464
HEALTHCHECK --interval=10s --timeout=2s --start-period=5s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--expose-gc", "server/main.js"]
