#!/bin/sh
# Makes a folder equal to the rendered documents of a workspace, once, with only kcat and awk.
#
#   sh deploy/examples/rendered-folder.sh localhost:9092 site-a folder
#
# Reads committed records from the beginning. The last record of a key counts; without a value, it removes the document. Reads
# again if a new outcome has arrived meanwhile. Then replaces the whole folder. Unlike the other examples, it does not compare
# the content hash, so it may miss a revision that is being committed, until its next run.
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
            if (last[name] == "NULL") continue # how kcat -Z prints a tombstone; no document is this text
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
