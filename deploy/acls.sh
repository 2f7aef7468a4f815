#!/bin/sh
# Grants permissions to the example users, as strimzi/users.yaml does for Strimzi (a test compares both). Needs Kafka's
# kafka-acls.sh on the PATH:
#
#   sh deploy/acls.sh --bootstrap-server kafka:9092 --command-config admin.properties
#
# Replace the names of the users by yours. With another STRAKE_APPLICATION_ID or STRAKE_TOPIC_PREFIX, also replace strake,
# strake- and strake.
set -eu

kafka-acls.sh "$@" --add --allow-principal User:strake-service --operation Describe --operation DescribeConfigs --operation Read --operation Write --topic strake.document-changes
kafka-acls.sh "$@" --add --allow-principal User:strake-service --operation Describe --operation DescribeConfigs --operation Read --operation Write \
  --topic strake.rendered-documents --topic strake.outcomes
kafka-acls.sh "$@" --add --allow-principal User:strake-service --operation Describe --operation DescribeConfigs --operation Write \
  --topic strake.render-problems --topic strake.dead-letters
kafka-acls.sh "$@" --add --allow-principal User:strake-service --operation Create --operation Describe --operation DescribeConfigs --operation Read --operation Write \
  --resource-pattern-type prefixed --topic strake-
kafka-acls.sh "$@" --add --allow-principal User:strake-service --operation Describe --operation Read --group strake
kafka-acls.sh "$@" --add --allow-principal User:strake-service --operation Describe --operation Write \
  --resource-pattern-type prefixed --transactional-id strake-

kafka-acls.sh "$@" --add --allow-principal User:strake-publisher --operation Describe --operation Write --topic strake.document-changes
kafka-acls.sh "$@" --add --allow-principal User:strake-publisher --operation Describe --operation Read --topic strake.outcomes

kafka-acls.sh "$@" --add --allow-principal User:strake-consumer --operation Describe --operation Read \
  --topic strake.rendered-documents --topic strake.outcomes
kafka-acls.sh "$@" --add --allow-principal User:strake-consumer --operation Read --resource-pattern-type prefixed --group strake-consumer

kafka-acls.sh "$@" --add --allow-principal User:strake-fetcher --operation Describe --operation Write --topic strake.document-changes
kafka-acls.sh "$@" --add --allow-principal User:strake-fetcher --operation Describe --operation Read \
  --topic strake.rendered-documents --topic strake.outcomes
kafka-acls.sh "$@" --add --allow-principal User:strake-fetcher --operation Describe --operation Read --operation Write \
  --resource-pattern-type prefixed --topic strake.remote-resource-
kafka-acls.sh "$@" --add --allow-principal User:strake-fetcher --operation Read --group strake-fetch

kafka-acls.sh "$@" --add --allow-principal User:strake-applier --operation Describe --operation Read \
  --topic strake.rendered-documents --topic strake.outcomes
kafka-acls.sh "$@" --add --allow-principal User:strake-applier --operation Describe --operation Write --topic strake.apply-results

kafka-acls.sh "$@" --add --allow-principal User:strake-operator --operation Describe --operation DescribeConfigs --operation Read \
  --resource-pattern-type prefixed --topic strake.
kafka-acls.sh "$@" --add --allow-principal User:strake-operator --operation Describe --operation DescribeConfigs \
  --resource-pattern-type prefixed --topic strake-
kafka-acls.sh "$@" --add --allow-principal User:strake-operator --operation Describe --group strake
kafka-acls.sh "$@" --add --allow-principal User:strake-operator --operation Describe --resource-pattern-type prefixed --transactional-id strake-
