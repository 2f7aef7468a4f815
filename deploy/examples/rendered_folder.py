#!/usr/bin/env python3
"""Keeps a folder equal to the rendered documents of a workspace, a whole revision at a time.

    python3 deploy/examples/rendered_folder.py localhost:9092 site-a folder

Needs confluent-kafka (Debian: python3-confluent-kafka).

1. Reads committed records only, the first time from the beginning: the compacted topic contains the current state.
2. Acts on outcomes, not on records: when its documents have the content hash of the last outcome.
3. Treats a record without a value as a removed document.
4. Stores its positions in the folder, and resumes from them; if they are too old, it starts again.
"""

import hashlib
import json
import sys
import time
from pathlib import Path

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, TopicPartition

RENDERED = "strake.rendered-documents"
OUTCOMES = "strake.outcomes"

# Tombstones are kept for a week. A consumer that was away for longer may have missed some.
LONGEST_ABSENCE = 6 * 24 * 3600


class RenderedFolder:
    def __init__(self, servers, workspace, folder):
        # Add more settings (TLS, SASL) here. The group stores nothing: the positions are in the folder.
        self.consumer = Consumer({
            "bootstrap.servers": servers,
            "group.id": "strake-consumer",
            "isolation.level": "read_committed",
            "auto.offset.reset": "error",
            "enable.auto.commit": False,
        })
        self.workspace = workspace
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.held = {}  # b"schema|name" -> value
        self.written = {}  # the same for the files in the folder
        self.positions = {}
        self.hash = None  # the content hash of the last outcome
        self.revision = None

    def resume(self):
        file = self.folder / ".positions"
        if not file.exists() or file.stat().st_mtime < time.time() - LONGEST_ABSENCE:
            self.begin_anew()
            return
        saved = json.loads(file.read_text())
        self.positions = {(topic, partition): offset for topic, partition, offset in saved}
        self.written = {key(path.name): path.read_bytes() for path in self.folder.glob("*.json")}
        self.held = dict(self.written)
        self.assign()
        print(f"continues with {len(self.held)} documents", flush=True)

    def begin_anew(self):
        # A workspace is in one partition (murmur2 of its name), but it is simpler to read all partitions.
        topics = self.consumer.list_topics(timeout=30).topics
        self.positions = {
            (topic, partition): OFFSET_BEGINNING for topic in (RENDERED, OUTCOMES) for partition in topics[topic].partitions
        }
        self.held.clear()
        self.hash = None
        self.assign()
        print("starts from the beginning", flush=True)

    def assign(self):
        self.consumer.assign([TopicPartition(topic, number, at) for (topic, number), at in self.positions.items()])

    def step(self):
        for message in self.consumer.consume(1000, timeout=0.2):
            if message.error() is None:
                self.read(message)
            elif message.error().code() == KafkaError._AUTO_OFFSET_RESET:  # the offset no longer exists
                self.begin_anew()
                return
            else:
                raise KafkaException(message.error())
        # Records of a revision may arrive before or after its outcome; until all are here, the hashes differ.
        if self.hash is not None and self.hash == self.content_hash():
            self.write()
            self.hash = None

    def read(self, message):
        self.positions[message.topic(), message.partition()] = message.offset() + 1
        workspace = self.workspace.encode()
        if message.topic() == OUTCOMES:
            outcome = json.loads(message.value())
            is_of_published = outcome["status"] != "planned"  # a dry run publishes nothing
            if message.key() == workspace and is_of_published and outcome["contentHash"] is not None:
                self.hash = outcome["contentHash"]
                self.revision = outcome["renderedRevision"]
        elif message.key().startswith(workspace + b"|"):
            name = message.key().split(b"|", 1)[1]
            if message.value() is None:
                self.held.pop(name, None)
            else:
                self.held[name] = message.value()

    def content_hash(self):
        """The sum of the documents' hashes. Equal to that of the outcome if the program has exactly its documents."""
        digests = (hashlib.sha256(name + b"\n" + value).digest() for name, value in self.held.items())
        return format(sum(int.from_bytes(digest, "big") for digest in digests) % 2**256, "064x")

    def write(self):
        """Replace this by your own action. Writes only files that differ, and the positions last."""
        gone = [name for name in self.written if name not in self.held]
        for name in gone:
            (self.folder / file_name(name)).unlink(missing_ok=True)
        changed = {name: value for name, value in self.held.items() if self.written.get(name) != value}
        for name, value in changed.items():
            (self.folder / file_name(name)).write_bytes(value)
        self.written = dict(self.held)
        after = self.folder / ".positions.next"
        after.write_text(json.dumps([[topic, number, at] for (topic, number), at in self.positions.items()]))
        after.replace(self.folder / ".positions")
        differ = len(gone) + len(changed)
        print(f"revision {self.revision}: {differ} of {len(self.held)} documents differ", flush=True)


def file_name(name):
    return name.decode().replace("%", "%25").replace("/", "%2F") + ".json"


def key(file):
    return file[: -len(".json")].replace("%2F", "/").replace("%25", "%").encode()


if __name__ == "__main__":
    program = RenderedFolder(*sys.argv[1:])
    program.resume()
    while True:
        program.step()
