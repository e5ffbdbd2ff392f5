package io.kvern.app.node;

import io.kvern.app.config.KvernConfig;
import io.kvern.app.config.Settings;
import io.kvern.ingest.AdminConfig;
import io.kvern.ingest.AdminException;
import io.kvern.ingest.Finding;
import io.kvern.ingest.Finding.Severity;
import io.kvern.ingest.KafkaUnavailableException;
import io.kvern.ingest.TopicAdmin;
import io.kvern.model.InvalidInputException;
import io.kvern.protocol.ClusterLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The cluster's topics: as a node needs them before it starts, and as a person asks for them. */
public final class ClusterTopics {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterTopics.class);

    private ClusterTopics() {}

    /**
     * What was found.
     *
     * @param usable whether a node would start
     * @param lines for a person, one finding each
     */
    public record Verdict(boolean usable, List<String> lines) {}

    /**
     * Makes what is absent, and refuses what cannot work.
     *
     * @param retentionBytes what the blocks topic keeps, if it is made now
     * @return the pinned layout
     */
    static ClusterLayout prepare(KvernConfig config, long retentionBytes) {
        LOG.info("Asking Kafka at {} for the topics", config.get(Settings.BOOTSTRAP));
        try (TopicAdmin admin = TopicAdmin.open(Wiring.admin(config, retentionBytes))) {
            ClusterLayout layout = admin.ensure();
            List<Finding> findings = admin.check();
            findings.stream()
                    .filter(finding -> finding.severity() == Severity.WARN)
                    .forEach(finding -> LOG.warn("{}", finding));
            String errors = findings.stream()
                    .filter(finding -> finding.severity() == Severity.ERROR)
                    .map(Finding::toString)
                    .collect(Collectors.joining("; "));
            if (!errors.isEmpty()) {
                throw new InvalidInputException("Kafka at %s and these settings cannot work together: %s"
                        .formatted(config.get(Settings.BOOTSTRAP), errors));
            }
            admin.describe().forEach(line -> LOG.info("{}", line));
            return layout;
        }
    }

    /** Makes what is absent, and pins the layout; answers what stands then. */
    public static List<String> create(KvernConfig config) {
        try (TopicAdmin admin = TopicAdmin.open(admin(config))) {
            admin.ensure();
            return admin.describe();
        }
    }

    /** Whether the topics are those that are pinned, and every setting fits. */
    public static Verdict check(KvernConfig config) {
        try (TopicAdmin admin = TopicAdmin.open(admin(config))) {
            List<String> lines = new ArrayList<>();
            boolean usable = true;
            try {
                admin.layout();
            } catch (KafkaUnavailableException e) {
                throw e;
            } catch (AdminException e) {
                lines.add(Severity.ERROR + ": " + e.getMessage());
                usable = false;
            }
            for (Finding finding : admin.check()) {
                lines.add(finding.toString());
                usable &= finding.severity() != Severity.ERROR;
            }
            if (lines.isEmpty()) {
                lines.add("Topics, brokers and settings fit together.");
            }
            return new Verdict(usable, lines);
        }
    }

    /** @throws AdminException if the topics are absent, or not those that are pinned */
    public static List<String> describe(KvernConfig config) {
        try (TopicAdmin admin = TopicAdmin.open(admin(config))) {
            admin.layout();
            return admin.describe();
        }
    }

    private static AdminConfig admin(KvernConfig config) {
        long chosen = config.get(Settings.RETENTION);
        return Wiring.admin(config, chosen == 0 ? AdminConfig.DEFAULT_WINDOW_BYTES : chosen);
    }
}
