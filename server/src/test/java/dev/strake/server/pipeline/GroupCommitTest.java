package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a stream thread commits. Times are in milliseconds. */
class GroupCommitTest {

    private long now = 1_000_000;

    private final GroupCommit commits =
            new GroupCommit(Duration.ofMillis(10), () -> TimeUnit.MILLISECONDS.toNanos(now));
    private final MockProcessorContext<Void, Void> context = new MockProcessorContext<>();
    private final Processor<String, byte[], Void, Void> processor = commits.after(record -> {});

    @BeforeEach
    void init() {
        processor.init(context);
    }

    @Test
    void shouldCommitAChangeAtOnceAfterAPause() {
        process(0);
        assertThat(context.committed()).isTrue();
    }

    @Test
    void shouldCommitAtTheIntervalWhenNoChangesWait() {
        commitTaking(4);
        now += 9;
        process(4);
        assertThat(context.committed()).as("before the interval is over").isFalse();
        now += 1;
        process(4);
        assertThat(context.committed()).as("after it").isTrue();
    }

    @Test
    void shouldProcessThreeTimesAsLongAsACommitWhileChangesWait() {
        commitTaking(60);
        now += 179;
        process(5_000);
        assertThat(context.committed()).as("after 179 ms of work").isFalse();
        now += 1;
        process(5_000);
        assertThat(context.committed()).as("after 180 ms of work").isTrue();
    }

    @Test
    void shouldProcessAsLongAsACommitWhenChangesWaitOnlyForCommits() {
        commitTaking(60);
        now += 59;
        process(480);
        assertThat(context.committed()).as("after 59 ms of work").isFalse();
        now += 1;
        process(480);
        assertThat(context.committed()).as("after 60 ms of work").isTrue();
    }

    @Test
    void shouldProcessLongerTheLongerChangesHaveWaited() {
        commitTaking(60);
        now += 99;
        process(800);
        assertThat(context.committed()).as("an eighth of 800 ms are not over").isFalse();
        now += 1;
        process(800);
        assertThat(context.committed()).as("they are").isTrue();
    }

    @Test
    void shouldCommitTheLastChangeWhenDueWithoutAnotherChange() {
        commitTaking(5);
        now += 3;
        process(0);
        process(0);
        CapturedPunctuator timer = timers().get(0);
        assertThat(timers()).as("one timer for all changes").hasSize(1);
        assertThat(timer.getInterval()).isEqualTo(Duration.ofMillis(7));
        assertThat(timer.getType()).isEqualTo(PunctuationType.WALL_CLOCK_TIME);
        timer.getPunctuator().punctuate(now + 7);
        assertThat(context.committed()).isTrue();
        commitTaking(5);
        assertThat(timer.cancelled()).as("after the commit").isTrue();
    }

    @Test
    void shouldSetANewTimerAfterEachCommit() {
        commitTaking(5);
        process(0);
        commitTaking(5);
        process(0);
        assertThat(timers()).hasSize(2);
        assertThat(timers().get(1).cancelled()).isFalse();
    }

    @Test
    void shouldCountACommitFromItsFirstFlush() {
        commits.begins();
        now += 30;
        commits.begins(); // each task of the thread flushes
        now += 30;
        commits.ended();
        now += 100;
        process(5_000);
        assertThat(context.committed()).isFalse();
        now += 80;
        process(5_000);
        assertThat(context.committed()).isTrue();
    }

    @Test
    void shouldCountOnlyCommitsOfItsOwnThread() throws InterruptedException {
        Thread other = new Thread(() -> commitTaking(60));
        other.start();
        other.join();
        process(5_000);
        assertThat(context.committed()).isTrue();
    }

    @Test
    void shouldGiveStreamsAnIntervalOfAtLeastHalfASecond() {
        assertThat(intervalOfStreams("10")).isEqualTo(500L);
        assertThat(intervalOfStreams(" 2000")).isEqualTo(2_000L);
    }

    private static Object intervalOfStreams(Object given) {
        Properties streams = new Properties();
        streams.put("commit.interval.ms", given);
        GroupCommit.insteadOf(streams);
        return streams.get("commit.interval.ms");
    }

    private void commitTaking(long millis) {
        commits.begins();
        now += millis;
        commits.ended();
        context.resetCommit();
    }

    private void process(long age) {
        context.setCurrentSystemTimeMs(now);
        processor.process(new Record<>("workspace", new byte[0], now - age));
    }

    private List<CapturedPunctuator> timers() {
        return context.scheduledPunctuators();
    }
}
