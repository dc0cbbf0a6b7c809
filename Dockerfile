# One image for all processes of the site; docker-compose.yml says which one each container runs.
FROM python:3.11-slim AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/venv
COPY requirements/base.txt /tmp/base.txt
RUN /opt/venv/bin/pip install --no-deps --require-hashes -r /tmp/base.txt

FROM python:3.11-slim
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    OCHENTA_MODE=production \
    OCHENTA_DATA_DIR=/srv/ochenta/data \
    OCHENTA_HEARTBEAT=/tmp/heartbeat
# The number, not the name: Kubernetes and the like can then see that it is not root.
# The folder of uploads is theirs, and so will be the volume that is mounted there.
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin ochenta \
    && install --directory --owner=ochenta --group=ochenta --mode=0750 /srv/media
COPY --from=build /opt/venv /opt/venv
WORKDIR /srv/ochenta
COPY . .
# The static files belong to the image; the settings ask for a secret, which nobody keeps here.
RUN OCHENTA_SECRET_KEY=$(python -c 'import secrets; print(secrets.token_urlsafe(50))') \
    OCHENTA_ALLOWED_HOSTS=localhost \
    OCHENTA_SIGNING_KEY=only-while-building-only-while-building-onl \
    OCHENTA_DATABASE_URL=sqlite:////tmp/none.db \
    python manage.py collectstatic --no-input --verbosity 0
USER 10001:10001
EXPOSE 8000
CMD ["python", "-m", "gunicorn", "--config", "python:config.gunicorn", "config.wsgi"]
