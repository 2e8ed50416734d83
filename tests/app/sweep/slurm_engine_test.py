"""`jointrig sweep --engine slurm` on a Slurm of this host: a controller and two `slurmd`, with munge. Debian's packages
slurm-wlm and munge; without them, or without root, it is skipped.

    python slurm_engine_test.py PROGRAM
"""

import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import campaign

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
TOOLS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo", "scontrol")
CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={temp}/munge.socket
CryptoType=crypto/munge
SlurmctldPort=16817
SlurmctldPidFile={temp}/slurmctld.pid
SlurmdPidFile={temp}/slurmd-%n.pid
SlurmdSpoolDir={temp}/slurmd-%n
StateSaveLocation={temp}/state
SlurmctldLogFile={temp}/slurmctld.log
SlurmdLogFile={temp}/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000
SlurmdTimeout=10
ReturnToService=2
MailProg=/bin/true
NodeName=node1 NodeHostname={host} NodeAddr=127.0.0.1 Port=17001 CPUs=1
NodeName=node2 NodeHostname={host} NodeAddr=127.0.0.1 Port=17002 CPUs=1
PartitionName=all Nodes=node1,node2 Default=YES MaxTime=10 State=UP
"""


class OnSlurm(campaign.Campaign):
    program = PROGRAM

    @classmethod
    def setUpClass(cls):
        cls.temp = pathlib.Path(tempfile.mkdtemp(prefix="slurm"))
        cls.addClassCleanup(shutil.rmtree, cls.temp, ignore_errors=True)
        cls.temp.chmod(0o755)
        host = os.uname().nodename.split(".")[0]
        (cls.temp / "slurm.conf").write_text(CONFIGURATION.format(host=host, temp=cls.temp))
        (cls.temp / "state").mkdir()
        os.environ["SLURM_CONF"] = str(cls.temp / "slurm.conf")
        cls.start_munge()
        cls.start("slurmctld", "-D", "-i")
        for number in (1, 2):
            (cls.temp / f"slurmd-node{number}").mkdir()
            cls.start("slurmd", "-D", "-N", f"node{number}")
        campaign.Campaign().until(lambda: cls.tell("sinfo", "-h", "-t", "idle", "-o", "%D").strip() == "2")

    @classmethod
    def start_munge(cls):
        key = cls.temp / "munge.key"
        key.write_bytes(os.urandom(1024))
        user = pwd.getpwnam("munge")
        place = cls.temp / "munge"
        place.mkdir(mode=0o755)
        key.rename(place / "munge.key")
        (place / "munge.key").chmod(0o400)
        for path in (place, place / "munge.key"):
            os.chown(path, user.pw_uid, user.pw_gid)
        cls.start("munged", "--foreground", "--force", f"--socket={cls.temp}/munge.socket", f"--key-file={place}/munge.key",
                  f"--pid-file={place}/munged.pid", f"--log-file={place}/munged.log", f"--seed-file={place}/munged.seed")
        campaign.Campaign().until((cls.temp / "munge.socket").exists)

    @classmethod
    def start(cls, *command: str) -> subprocess.Popen:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def end():
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        cls.addClassCleanup(end)
        return process

    @staticmethod
    def tell(*command: str) -> str:
        return subprocess.run(command, capture_output=True, text=True).stdout

    def tearDown(self):
        subprocess.run(["scancel", "--user=root"], capture_output=True)
        self.until(lambda: not self.tell("squeue", "-h").strip())

    def on_slurm(self, *arguments: str, code: int | None = None):
        return self.sweep("loads.yaml", "--engine", "slurm", "--tasks", "4", *arguments, code=code)

    def test_an_array_gives_the_table_of_one_process_and_is_not_submitted_again(self):
        done = self.on_slurm(code=1)
        self.assertRegex(done.stdout, r"22 cases, 22 to run\narray \d+ of 4 tasks is submitted\n")
        self.check_against_local()
        again = self.on_slurm(code=1)
        self.assertIn("22 cases, 0 to run", again.stdout)
        self.assertNotIn("array", again.stdout)

    def test_a_killed_sweep_finds_its_array_at_work_and_waits_for_it(self):
        process = self.begin("loads.yaml", "--set", "parameters.time=50 s", "--engine", "slurm", "--tasks", "4")
        process.kill()
        process.wait()
        again = self.on_slurm("--set", "parameters.time=50 s", code=1)
        self.assertRegex(again.stdout, r"array \d+ of an earlier sweep is still at work: waiting for it")
        self.assertEqual(len(self.names()), campaign.CASES)
        self.check_against_local("--set", "parameters.time=50 s")

    def test_interrupted_it_cancels_its_array_and_the_next_goes_on(self):
        process = self.begin("loads.yaml", "--set", "parameters.time=50 s", "--engine", "slurm", "--tasks", "4")
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, said + errors)
        self.assertRegex(said, r"array \d+ is cancelled")
        self.until(lambda: not self.tell("squeue", "-h").strip())
        done, before = self.done(), self.times()
        self.assertLess(len(done), campaign.CASES)
        again = self.on_slurm("--set", "parameters.time=50 s", code=1)
        self.assertIn(f"{campaign.CASES - len(done)} to run", again.stdout)
        self.assertEqual({name: self.times()[name] for name in done}, before)

    def test_a_killed_task_leaves_cases_to_the_next_sweep(self):
        process = self.begin("loads.yaml", "--set", "parameters.time=50 s", "--engine", "slurm", "--tasks", "4",
                             "--slurm=--no-requeue")
        number = (self.folder / "runs/sweep-loads/slurm.job").read_text().strip()
        subprocess.run(["scancel", "--signal=KILL", "--full", f"{number}_1", f"{number}_2"], check=True)
        said, errors = process.communicate(timeout=300)
        left = campaign.CASES - len(self.done())
        self.assertGreater(left, 0)
        self.assertIn(f"the array has ended, and {left} cases have no result", said + errors)
        self.assertIn(f"{left} to run", self.sweep("loads.yaml", "--set", "parameters.time=50 s", code=1).stdout)
        self.assertEqual(len(self.names()), campaign.CASES, "and no half case is left")

    def test_what_slurm_refuses_is_told_in_its_words(self):
        done = self.on_slurm("--slurm=--partition=nowhere", code=2)
        self.assertRegex(done.stderr, "jointrig sweep: sbatch: .*nowhere|jointrig sweep: sbatch: .*invalid partition")


if __name__ == "__main__":
    if os.environ.get("JOINTRIG_SHARE"):
        print("skipped: it takes most of a minute, and belongs to .ci/run --full")
        sys.exit(77)
    missing = [tool for tool in TOOLS if shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None]
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    if missing or os.getuid() != 0:
        print(f"skipped: needs root and Debian's slurm-wlm and munge; missing: {', '.join(missing) or 'root'}")
        sys.exit(77)
    unittest.main(verbosity=2)
