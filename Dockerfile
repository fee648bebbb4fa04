# syntax=docker/dockerfile:1

FROM node:26-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image has Node already: the copy among the packages would be half of what it adds.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:26-slim
RUN groupadd --system --gid 10001 sklad \
  && useradd --system --uid 10001 --gid sklad --no-create-home --home-dir /nonexistent sklad \
  && install -d -o sklad -g sklad -m 0700 /data /backups
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY bin bin
COPY docs/pictures docs/pictures
COPY docs/samples docs/samples
COPY migrations migrations
COPY sdk sdk
COPY src src
COPY web web
# Without DATABASE_URL the own PostgreSQL lives in /data: mount a volume there.
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 METRICS_HOST=0.0.0.0
VOLUME ["/data", "/backups"]
USER sklad
EXPOSE 8080 9464
# For a container that answers HTTP, and starts within 50 seconds; one with "--role worker" has no API port to ask.
HEALTHCHECK --interval=10s --timeout=3s --retries=5 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/sklad.js"]
CMD ["serve"]
