#!/bin/bash
# Runs once, on the first start of the database: the service's role, without superuser, and its database.
set -euo pipefail
password=$(sed -E 's|^[a-z]+://[^:]+:([^@]+)@.*$|\1|' /run/secrets/database-url)
psql -v ON_ERROR_STOP=1 -v password="$password" --username postgres --dbname postgres <<'SQL'
create role sklad login nosuperuser nocreatedb nocreaterole password :'password';
create database sklad owner sklad encoding 'UTF8' template template0;
revoke connect on database sklad from public;
SQL
