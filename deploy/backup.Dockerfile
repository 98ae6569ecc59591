# The image of the chart's backups: the release, and the programs of PostgreSQL, which must be of the server's version. Build the release first:
#
#   docker build --file deploy/Dockerfile --tag gatehouse .
#   docker build --build-arg POSTGRESQL=18 --tag gatehouse-backup - < deploy/backup.Dockerfile

ARG RELEASE=gatehouse
ARG POSTGRESQL=18
FROM ${RELEASE} AS release

FROM postgres:${POSTGRESQL}-bookworm
COPY --from=release /usr/lib/gatehouse /usr/lib/gatehouse
RUN install -d -m 0700 -o 10001 -g 10001 /var/lib/gatehouse
WORKDIR /usr/lib/gatehouse
ENV NODE_ENV=production
ENV DATA_DIR=/var/lib/gatehouse
USER 10001:10001
STOPSIGNAL SIGTERM
# As in the image of the release.
ENTRYPOINT ["/bin/sh", "-c", "ulimit -c 0 && exec \"$@\"", "gatehouse", "/usr/lib/gatehouse/runtime/node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=8", "--heap-growing-percent=50"]
CMD ["programs/gatehouse.mjs", "help"]
