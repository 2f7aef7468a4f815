#!/bin/sh
# Makes a folder equal to the rendered documents of a workspace, once, with kcat and awk alone.
#
#   sh deploy/examples/rendered-folder.sh localhost:9092 site-a folder
#
# Reads committed records from the beginning. Of each key the last record counts; one without a value means that the document
# is gone. Replaces the folder as a whole, and only if no outcome came meanwhile. It does not compare the content hash, as the
# other examples do, so it may miss a revision that is being committed, until its next run.
set -eu
servers=$1
workspace=$2
folder=$3
export LC_ALL=C

committed() {
    kcat -b "$servers" -C -q -e -Z -X isolation.level=read_committed -t "$1" -f '%k\t%s\n'
}

last_outcome() {
    committed strake.outcomes | awk -F '\t' -v workspace="$workspace" '$1 == workspace { last = $2 } END { print last }'
}

rm -rf "$folder.next"
mkdir -p "$folder.next"
before=none
after=$(last_outcome)
until [ "$before" = "$after" ]; do
    before=$after
    committed strake.rendered-documents >"$folder.next/.records"
    after=$(last_outcome)
done

awk -F '\t' -v workspace="$workspace" -v folder="$folder.next" '
    index($1, workspace "|") == 1 { last[substr($1, length(workspace) + 2)] = $2 }
    END {
        for (name in last) {
            if (last[name] == "NULL") continue # as kcat -Z writes a tombstone; a document is never this text
            file = name
            gsub(/%/, "%25", file)
            gsub("/", "%2F", file)
            file = folder "/" file ".json"
            printf "%s", last[name] > file
            close(file)
        }
    }' "$folder.next/.records"
rm -f "$folder.next/.records"
rm -rf "$folder"
mv "$folder.next" "$folder"
