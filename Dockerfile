# One image for the API and the pages; compose.yaml says which of the two a container runs.
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    HOME=/data \
    BASTAO_DATA_DIR=/data

RUN useradd --system --uid 10001 --home-dir /data --no-create-home bastao \
    && install -d -o bastao -g bastao -m 0700 /data

WORKDIR /app
COPY requirements.txt requirements-oidc.txt ./
RUN pip install -r requirements.txt -r requirements-oidc.txt
COPY . .

USER 10001
VOLUME /data
EXPOSE 8000 8501
CMD ["uvicorn", "api:app", "--host", "0.0.0.0", "--port", "8000", "--timeout-graceful-shutdown", "10"]
