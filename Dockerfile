# syntax=docker/dockerfile:1
# The build service: docker build -t quickback . && docker run -p 8789:8789 -e SERVICE_API_KEY=… quickback
# The same image runs the other tasks: docker run … quickback task router
# For byte-for-byte builds pin the image by its digest as well: denoland/deno:2.9.6@sha256:…
ARG DENO_VERSION=2.9.6

# Dependencies exactly as deno.lock has them: those of the service, and those that the outputs it bundles import.
FROM denoland/deno:${DENO_VERSION} AS build
ENV DENO_DIR=/deno-dir DENO_NO_UPDATE_CHECK=1
WORKDIR /app
COPY deno.json deno.lock ./
COPY shared shared
COPY platform platform
COPY edge edge
COPY container container
COPY cli cli
COPY generated-templates generated-templates
COPY examples examples
COPY tests/support/assert.ts tests/support/sample_*.ts tests/support/
RUN deno install --frozen --entrypoint container/main.ts container/compile_worker.ts \
    container/service_main.ts edge/main.ts edge/router_main.ts \
    platform/mod.ts shared/accounts/mod.ts shared/authoring/mod.ts shared/runtime/mod.ts \
  && chown -R deno:deno /deno-dir

FROM denoland/deno:${DENO_VERSION}
ENV DENO_DIR=/deno-dir DENO_NO_UPDATE_CHECK=1 NO_COLOR=1 PORT=8789
WORKDIR /app
COPY --from=build --chown=deno:deno /deno-dir /deno-dir
COPY --from=build /app /app
USER deno
EXPOSE 8789
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["deno", "eval", "const r = await fetch(`http://127.0.0.1:${Deno.env.get('PORT')}/health`); if (!r.ok) Deno.exit(1);"]
STOPSIGNAL SIGTERM
CMD ["run", "--cached-only", "--unstable-no-legacy-abort", "-A", "container/main.ts"]
