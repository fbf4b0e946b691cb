# Hermes for production: its own Node 24, no development packages, nothing fetched at run time.
#   docker build -t hermes .
#   docker run -p 127.0.0.1:3210:3210 -v hermes:/data -e HERMES_CONSOLE_TOKEN=… hermes
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY prisma.config.ts ./
COPY prisma ./prisma
RUN node node_modules/prisma/build/index.js generate

FROM node:24-slim
# MCP servers leave children of their own behind, which process 1 has to collect.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=packages /app ./
COPY . .
RUN mkdir /data && chown node:node /data
USER node
# Reachable from outside the container, so HERMES_CONSOLE_TOKEN has to be set.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3210 HERMES_HOME=/data
VOLUME /data
EXPOSE 3210
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "src/main.ts"]
CMD ["start"]
